// Everything that the role of an auditor may read, as its recomputation takes it. Reads the views under that role alone, in one
// transaction that writes nothing.
import { sql, type Transaction } from 'kysely';
import type {
  Bill,
  Books,
  Close,
  CorporateAction,
  Correction,
  Day,
  Deployment,
  Fill,
  Flow,
  Instrument,
  LedgerTransaction,
  Market,
  Payment,
  Position,
  PositionEvent,
  RoundTrip,
  StatedChange,
} from '#audit/rows.ts';
import type { Database } from '../postgres/database.ts';
import { idList } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

type Reading = Transaction<Tables>;

/** Throws when the account of the database may not act as the auditor. */
export async function readAsAuditor<Result>(
  database: Database,
  work: (trx: Reading) => Promise<Result>,
): Promise<Result> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local role auditor`.execute(trx);
      return work(trx);
    });
}

export async function readMarket(trx: Reading): Promise<Market> {
  const instruments = await sql<Instrument>`
    select instrument as symbol, currency, unit_currency as "unitCurrency", multiplier::float8, settlement
    from audit_instruments`.execute(trx);
  const closes = await sql<Close & { readonly symbol: string }>`
    select instrument as symbol, source, date::text, ${timeText('opened_at')} as "openedAt", ${timeText('closed_at')} as "closedAt",
      open, high, low, close, volume, link, encode(seal, 'hex') as seal from audit_closes
    where instrument in (select instrument from audit_fills union select instrument from audit_position_events)
    order by instrument, link`.execute(trx);
  const actions = await sql<CorporateAction>`
    select instrument as symbol, ex_date::text as "exDate", kind, amount::float8 from audit_corporate_actions
    order by instrument, ex_date`.execute(trx);
  return {
    instruments: new Map(instruments.rows.map((one) => [one.symbol, one])),
    closes: Map.groupBy(closes.rows, ({ symbol }) => symbol),
    actions: actions.rows,
  };
}

/** In batches: all of them may be more than fits into memory. */
export async function* readBooks(trx: Reading): AsyncGenerator<Books> {
  const { rows } = await sql<{ id: string }>`
    select deployment_id as id from audit_deployments order by deployment_id`.execute(trx);
  for (let start = 0; start < rows.length; start += BATCH_SIZE)
    yield* await readBatch(
      trx,
      rows.slice(start, start + BATCH_SIZE).map(({ id }) => id),
    );
}

async function readBatch(trx: Reading, ids: readonly string[]): Promise<Books[]> {
  const parts = {
    fills: await read<Fill>(trx, ids, FILLS),
    events: await read<PositionEvent>(trx, ids, EVENTS),
    stated: await read<StatedChange>(trx, ids, STATED),
    flows: await read<Flow>(trx, ids, FLOWS),
    ledger: await read<LedgerTransaction>(trx, ids, LEDGER),
    positions: await read<Position>(trx, ids, POSITIONS),
    trips: await read<RoundTrip>(trx, ids, TRIPS),
    days: await read<Day>(trx, ids, DAYS),
    bills: await read<Bill>(trx, ids, BILLS),
    corrections: await read<Correction>(trx, ids, CORRECTIONS),
    payments: await read<Payment>(trx, ids, PAYMENTS),
  };
  const deployments = await read<Deployment>(trx, ids, DEPLOYMENTS);
  return ids.map((id): Books => {
    const of = <Row>(rows: ReadonlyMap<string, readonly Row[]>) => rows.get(id) ?? [];
    return {
      deployment: of(deployments)[0]!,
      fills: of(parts.fills),
      events: of(parts.events),
      stated: of(parts.stated),
      flows: of(parts.flows),
      ledger: of(parts.ledger),
      positions: of(parts.positions),
      trips: of(parts.trips),
      days: of(parts.days),
      bills: of(parts.bills),
      corrections: of(parts.corrections),
      payments: of(parts.payments),
    };
  });
}

/** Rows by deployment. */
async function read<Row>(
  trx: Reading,
  ids: readonly string[],
  query: string,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const { rows } = await sql<Row & { readonly of: string }>`
    with asked as (select unnest(${idList(ids)}::uuid[]) as deployment_id) ${sql.raw(query)}`.execute(trx);
  return Map.groupBy(rows, (row) => row.of);
}

/** ISO with milliseconds, in UTC. */
const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const timeText = (column: string) => sql.raw(time(column));
const dollars = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(([column, name]) => `${column}_micro::float8 / 1000000 as "${name}"`)
    .join(', ');

const DEPLOYMENTS = `
  select deployment_id::text as of, deployment_id::text as id, mode, ${dollars({
    investment: 'investment',
    cash: 'cash',
    realized: 'realized',
    equity: 'equity',
    high_water_mark: 'highWaterMark',
    return_base: 'returnBase',
  })}, ${time('deployed_at')} as "deployedAt", ${time('ended_at')} as "endedAt", p.fee_period as "feePeriod",
    coalesce((select array[(array_agg(l.details::jsonb #>> '{from,fee_period}' order by l.seq))[1]]
        || array_agg(l.details::jsonb #>> '{to,fee_period}' order by l.seq)
      from audit_log l where l.subject = 'person:' || user_id and l.action = 'person.changed'
        and l.details::jsonb #> '{to,fee_period}' is not null having count(*) > 0), array['monthly']) as "feePeriods"
  from audit_deployments join asked using (deployment_id) join audit_fee_periods p using (user_id)`;
const FILLS = `
  select deployment_id::text as of, 'fill:' || account_id || ':' || execution_id as cause, instrument as symbol, side,
    quantity::float8, price::float8, split_ratio::float8 as "splitRatio", ${time('executed_at')} as "executedAt",
    ${dollars({ commission: 'commission', realized: 'realized' })}
  from audit_fills join asked using (deployment_id) order by executed_at`;
const EVENTS = `
  select e.deployment_id::text as of, event_id::float8 as id, kind || ':' || e.deployment_id || ':' || e.instrument || ':' || date
      || case execution when '' then '' else ':' || execution end as cause,
    e.instrument as symbol, kind, date::text, event, entitled::float8, e.realized_micro::float8 / 1000000 as realized,
    after_entry::float8 as "afterEntry", ${time('e.at')} as at, execution,
    'fill:' || k.account_id || ':' || k.undoes_execution_id as undoes, 'fill:' || k.account_id || ':' || k.execution_id as books
  from audit_position_events e join asked on asked.deployment_id = e.deployment_id
  left join audit_adjustments k on e.kind = 'adjustment' and k.adjustment_id::text = e.execution order by event_id`;
const STATED = `
  select deployment_id::text as of, kind || '_figure:' || deployment_id || ':' || instrument || ':' || date || ':' || number as cause,
    instrument as symbol, case kind when 'trading_fee' then null else kind end as "sessionKind", date::text,
    ${dollars({ change: 'change' })}
  from audit_stated_changes join asked using (deployment_id)`;
const FLOWS = `
  select deployment_id::text as of, kind || ':' || flow_id as cause, kind, ${dollars({
    moved: 'moved',
    value_before: 'valueBefore',
  })}, ${time('at')} as at
  from audit_flows join asked using (deployment_id) where status = 'done'
  order by audit_flows.at, (select min(l.entry_id) from audit_ledger l
    where l.deployment_id = audit_flows.deployment_id and l.cause = audit_flows.kind || ':' || audit_flows.flow_id), flow_id`;
const LEDGER = `
  select deployment_id::text as of, cause, kind, ${time('at')} as at, min(first)::float8 as "firstEntry",
    max(last)::float8 as "lastEntry", jsonb_object_agg(ledger_account, amount) as amounts
  from (select deployment_id, cause, kind, at, ledger_account, min(entry_id) as first, max(entry_id) as last,
      sum(amount_micro)::float8 / 1000000 as amount
    from audit_ledger join asked using (deployment_id) group by 1, 2, 3, 4, 5) posted
  group by 1, 2, 3, posted.at order by min(first)`;
const POSITIONS = `
  select deployment_id::text as of, instrument as symbol, quantity::float8, mark_price::float8 as "markPrice",
    ${dollars({ cost: 'cost', current_value: 'currentValue', unrealized: 'unrealized' })}
  from audit_positions join asked using (deployment_id)`;
const TRIPS = `
  select deployment_id::text as of, instrument as symbol, number, side, ${time('opened_at')} as "openedAt",
    ${time('closed_at')} as "closedAt", quantity::float8 as units, entry_price::float8 as "entryPrice",
    exit_price::float8 as "exitPrice", ${dollars({ commission: 'commission', income: 'income', pnl: 'result' })}
  from audit_round_trips join asked using (deployment_id) order by instrument, number`;
const DAYS = `
  select deployment_id::text as of, date::text, ${time('at')} as at, held,
    ${dollars({ cash: 'cash', positions: 'positions', equity: 'equity' })}
  from audit_days join asked using (deployment_id) order by audit_days.date`;
const BILLS = `
  select deployment_id::text as of, number, is_closing as "isClosing", ${time('period_start')} as start,
    ${time('period_end')} as end, ${time('due_at')} as "dueAt", ledger_through::float8 as "ledgerThrough",
    ${time('worth_at')} as "worthAt", worth_held as "worthHeld", fee_percent::float8 as "feePercent", ${dollars(
      {
        capital: 'capital',
        settled_result: 'settledResult',
        worth: 'worth',
        worth_cash: 'worthCash',
        high_water_before: 'highWaterBefore',
        net_flow: 'netFlow',
        adjusted_mark: 'adjustedMark',
        closing_value: 'closingValue',
        profit: 'profit',
        fee: 'fee',
        high_water_after: 'highWaterAfter',
      },
    )}
  from audit_bills join asked using (deployment_id) order by number`;
const CORRECTIONS = `
  select deployment_id::text as of, number, ledger_through::float8 as "ledgerThrough", ${dollars({
    settled_result: 'settledResult',
    closing_value: 'closingValue',
    profit: 'profit',
    fee: 'fee',
    credit: 'credit',
  })}
  from audit_bill_corrections join asked using (deployment_id) order by number`;
const PAYMENTS = `
  select deployment_id::text as of, number, kind, ${dollars({ amount: 'amount' })} from (
    select deployment_id, number, 'paid' as kind, amount_micro, paid_at as at from audit_bill_payments
    union all select deployment_id, number, 'charged_back', amount_micro, at from audit_bill_chargebacks
    union all select deployment_id, number, 'refunded', amount_micro, agreed_at from audit_bill_refunds) moved
  join asked using (deployment_id) order by at`;

const BATCH_SIZE = 200;
