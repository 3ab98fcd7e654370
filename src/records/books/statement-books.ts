// Everything that was booked for a person's deployments and how it was valued, from one snapshot.
import { type RawBuilder, sql } from 'kysely';
import type { StatementBooks, Valuation } from '#rules/portfolio/statement/statement-books.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { DeploymentId, Symbol, UserId } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { fillsInBookingOrder } from './fills-in-booking-order.ts';
import { findInstruments } from '../market/instruments.ts';
import type { Database } from '../postgres/database.ts';
import { listPositionEvents } from '../portfolio/position-events.ts';

export type BooksOfPerson = {
  readonly books: readonly StatementBooks[];
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
};

/** In the order in which they were deployed. */
export async function readStatementBooks(
  database: Database,
  { userId, mode }: { readonly userId: UserId; readonly mode: 'real' | 'practice' },
): Promise<BooksOfPerson> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const ofPerson = sql<boolean>`d.user_id = ${userId} and d.mode = ${mode}`;
      const books = await readBooksWhere(trx, ofPerson);
      return { books, instruments: await instrumentsOf(trx, books) };
    });
}

/** Of one deployment; undefined when there is none of this id. */
export async function readBooksOf(database: Database, id: DeploymentId): Promise<StatementBooks | undefined> {
  const [books] = await readBooksWhere(database, sql<boolean>`d.id = ${id}`);
  return books;
}

/** Of these deployments, in the order in which they were deployed. */
async function readBooksWhere(
  trx: Database,
  condition: RawBuilder<boolean>,
): Promise<readonly StatementBooks[]> {
  const { rows } = await sql<DeploymentRow>`
    select d.id, s.name as strategy_name, d.deployed_at, d.ended_at, coalesce(d.marked_at, d.deployed_at) as marked_at,
      d.cash_micro as cash, d.equity_micro as equity,
      coalesce((select jsonb_object_agg(p.symbol, jsonb_build_object('units', p.quantity, 'price', p.mark_price))
        from positions p where p.deployment_id = d.id), '{}') as held
    from deployments d join strategies s on s.id = d.strategy_id
    where ${condition} order by d.deployed_at, d.id`.execute(trx);
  const books: StatementBooks[] = [];
  for (const row of rows) books.push(await readBooks(trx, row));
  return books;
}

export async function instrumentsOf(
  trx: Database,
  books: readonly StatementBooks[],
): Promise<ReadonlyMap<Symbol, Instrument>> {
  const found = await findInstruments(trx, [...new Set(books.flatMap(symbolsOf))]);
  return new Map(found.map((one) => [one.symbol, one]));
}

async function readBooks(trx: Database, row: DeploymentRow): Promise<StatementBooks> {
  const { id } = row;
  const fills = await fillsInBookingOrder(trx, id);
  return {
    id,
    strategyName: row.strategy_name,
    deployedAt: parseInstant(row.deployed_at),
    endedAt: row.ended_at && parseInstant(row.ended_at),
    transactions: await listTransactions(trx, id),
    fills: fills.map(({ execution, entry, fill }) => ({ id: execution, place: entry, fill })),
    events: await listPositionEvents(trx, id),
    days: await listDays(trx, id),
    now: valuationOf({ ...row, at: row.marked_at }),
  };
}

/** Of the ledger, in the order of booking. */
async function listTransactions(trx: Database, id: DeploymentId): Promise<StatementBooks['transactions']> {
  const { rows } = await sql<TransactionRow>`
    select min(e.id) as place, t.at, split_part(t.cause, ':', 1) as cause,
      case t.kind when 'fill' then (select f.symbol from fills f where f.deployment_id = t.deployment_id
          and f.account_id || ':' || f.execution_id = substring(t.cause from 6))
        when 'position_event' then nullif(split_part(t.cause, ':', 3), '')
        when 'adjustment' then nullif(split_part(t.cause, ':', 3), '') end as symbol,
      coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'cash'), 0) as cash,
      coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'capital'), 0) as capital,
      coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'realized'), 0) as realized,
      coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'commission'), 0) as commission,
      coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'fees'), 0) as fees
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where t.deployment_id = ${id} group by t.id order by 1`.execute(trx);
  return rows.map((row) => ({
    place: Number(row.place),
    at: parseInstant(row.at),
    cause: row.cause,
    symbol: row.symbol,
    cash: parseMicro(row.cash),
    capital: parseMicro(row.capital),
    realized: parseMicro(row.realized),
    commission: parseMicro(row.commission),
    fees: parseMicro(row.fees),
  }));
}

async function listDays(trx: Database, id: DeploymentId): Promise<StatementBooks['days']> {
  const { rows } = await sql<DayRow>`
    select date::text, at, cash_micro as cash, equity_micro as equity, held
    from equity_marks where deployment_id = ${id} order by date`.execute(trx);
  return rows.map((row) => ({ date: row.date, ...valuationOf(row) }));
}

function valuationOf({ at, cash, equity, held }: Omit<DayRow, 'date'>): Valuation {
  const positions = Object.entries(held).map(
    ([symbol, { units, price }]) =>
      [symbol as Symbol, { units: toQuantity(Number(units)), price: Number(price) }] as const,
  );
  return {
    at: parseInstant(at),
    cash: parseMicro(cash),
    equity: parseMicro(equity),
    held: new Map(positions),
  };
}

function symbolsOf({ fills, events }: StatementBooks): readonly Symbol[] {
  return [
    ...fills.map(({ fill }) => fill.symbol),
    ...events.flatMap(({ event }) =>
      'underlying' in event ? [event.symbol, event.underlying] : [event.symbol],
    ),
  ];
}

type DayRow = {
  date: IsoDate;
  at: Date;
  cash: string;
  equity: string;
  held: Readonly<Record<string, { units: number | string; price: number | string }>>;
};

type DeploymentRow = Omit<DayRow, 'date' | 'at'> & {
  id: DeploymentId;
  strategy_name: string;
  deployed_at: Date;
  ended_at: Date | null;
  marked_at: Date;
};

type TransactionRow = {
  place: string;
  at: Date;
  cause: string;
  symbol: Symbol | null;
  cash: string;
  capital: string;
  realized: string;
  commission: string;
  fees: string;
};
