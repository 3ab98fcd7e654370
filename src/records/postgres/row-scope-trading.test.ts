// What belongs to a deployment or a charge, and names no person itself: found for its person alone.
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { insertDeployment, insertPerson, insertStrategy } from '#tests/support/trading-rows.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { openDatabase } from './database.ts';
import { asEverybody, asPerson } from './row-scope.ts';

const records = await testDatabase();
const rows = { ...records, newId: randomUUID, now: () => instant(Date.now()) };
const version = await insertStrategy(rows, BOTH_ABOVE_30);
await records.pool.query(
  `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
   values ('S', 'equity', 'S', 'USD', 1, 2, 'us-equity', 'cash', 'sandbox')`,
);
/** Whose deployment or charge it is, by its id. */
const ownerOf = new Map<string, UserId>();
const people: UserId[] = [];
for (let i = 0; i < 2; i++) {
  const person = await insertPerson(rows);
  const deployment = await insertDeployment(rows, version, { person });
  const [order, bill, charge] = [randomUUID(), randomUUID(), randomUUID()];
  people.push(person.user as UserId);
  for (const id of [deployment, bill, charge]) ownerOf.set(id, person.user as UserId);
  const one = (text: string, values: readonly unknown[]) => records.pool.query(text, [...values]);
  await one(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     values ($1, $2, $3, $1::uuid::text, 'c', 'rebalance', 1, 'S', 'buy', 1, 1, 1, 'working', now())`,
    [order, deployment, person.connection],
  );
  await one(`insert into receipts (deployment_id, at, cause) values ($1, now(), 'c')`, [deployment]);
  await one(
    `insert into positions (deployment_id, symbol, quantity, cost_micro, mark_price, current_value_micro, total_cost_micro,
       unrealized_micro, notional_micro, opened_at, marked_at) values ($1, 'S', 1, 1, 1, 1, 1, 0, 1, now(), now())`,
    [deployment],
  );
  await one(
    `insert into fills (execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price, commission_micro,
       realized_micro, executed_at) values ($1::uuid::text, 'a', $1, $2, 'S', 'buy', 1, 1, 0, 0, now())`,
    [order, deployment],
  );
  await one(
    `insert into equity_marks (deployment_id, date, at, cash_micro, positions_micro, equity_micro)
     values ($1, current_date, now(), 1, 1, 2)`,
    [deployment],
  );
  await one(
    `insert into cut_off_marks (deployment_id, at, cash_micro, equity_micro, held) values ($1, now(), 1, 2, '{}')`,
    [deployment],
  );
  await one(`insert into expected_ranges (deployment_id, made_at, why_none) values ($1, now(), '{}')`, [
    deployment,
  ]);
  await one(`insert into tripwire_evidence (deployment_id, evidence) values ($1, '{}')`, [deployment]);
  await one(
    `insert into round_trips (deployment_id, symbol, number, side, opened_at, quantity, entry_price, entry_value_micro,
       commission_micro, income_micro, pnl_micro, first_place, is_reversal)
     values ($1, 'S', 1, 'long', now(), 1, 1, 1, 0, 0, 0, 1, false)`,
    [deployment],
  );
  await one(
    `insert into position_events (deployment_id, symbol, kind, date, event, entitled, realized_micro, after_entry, at)
     values ($1, 'S', 'dividend', current_date, '{}', 1, 0, 0, now())`,
    [deployment],
  );
  await one(
    `insert into stated_changes (deployment_id, symbol, kind, date, number, change_micro, at)
     values ($1, 'S', 'dividend', current_date, 1, 1, now())`,
    [deployment],
  );
  await one(
    `insert into liquidation_requests (id, deployment_id, requested_at) values (gen_random_uuid(), $1, now())`,
    [deployment],
  );
  await one(
    `insert into capacity_places (strategy_id, place, deployment_id, amount_micro)
     select strategy_id, (select count(*) + 1 from capacity_places), id, 1 from deployments where id = $1`,
    [deployment],
  );
  await one(
    `insert into deployment_flows (id, deployment_id, kind, requested_micro, requested_at)
     values (gen_random_uuid(), $1, 'deposit', 1, now())`,
    [deployment],
  );
  await one(
    `insert into fee_bills (id, deployment_id, number, is_closing, has_estimates, period_start, period_end, ledger_through,
       capital_micro, settled_result_micro, high_water_before_micro, net_flow_micro, adjusted_mark_micro,
       closing_value_micro, profit_micro, fee_percent, fee_micro, high_water_after_micro, due_at)
     values ($1, $2, 1, true, false, now() - interval '1 day', now(), 0, 1, 1, 1, 0, 1, 2, 100, 30, 30, 2, now())`,
    [bill, deployment],
  );
  await one(
    `insert into fee_corrections (id, bill_id, deployment_id, number, ledger_through, settled_result_micro,
       closing_value_micro, profit_micro, fee_micro, credit_micro, at)
     values (gen_random_uuid(), $1, $2, 1, 0, 1, 2, 1, 1, 1, now())`,
    [bill, deployment],
  );
  await one(
    `insert into fee_payments (id, bill_id, amount_micro, vendor, vendor_reference, is_automatic, paid_at)
     values ($1, $1, 29, 'v', 'r', false, now())`,
    [bill],
  );
  await one(
    `insert into charges (id, user_id, purpose, bill_id, amount_micro, vendor, is_automatic, opened_at)
     values ($1, $2, 'fee', $3, 29, 'v', false, now())`,
    [charge, person.user, bill],
  );
  await one(
    `insert into refunds (id, charge_id, amount_micro, because, agreed_at)
     values (gen_random_uuid(), $1, 1, 'b', now())`,
    [charge],
  );
  await one(
    `insert into disputes (id, vendor, charge_id, amount_micro, because, status, opened_at)
     values ($1::uuid::text, 'v', $1, 1, 'b', 'open', now())`,
    [charge],
  );
  await one(
    `insert into chargebacks (dispute_id, number, charge_id, amount_micro, at) values ($1::uuid::text, 1, $1, 1, now())`,
    [charge],
  );
}
const [mine, theirs] = people as [UserId, UserId];

/** Each with the column that leads to its person. */
const LEADS = {
  orders: 'deployment_id',
  receipts: 'deployment_id',
  positions: 'deployment_id',
  fills: 'deployment_id',
  ledger_transactions: 'deployment_id',
  ledger_entries: 'deployment_id',
  equity_marks: 'deployment_id',
  cut_off_marks: 'deployment_id',
  expected_ranges: 'deployment_id',
  tripwire_evidence: 'deployment_id',
  round_trips: 'deployment_id',
  position_events: 'deployment_id',
  stated_changes: 'deployment_id',
  liquidation_requests: 'deployment_id',
  deployment_flows: 'deployment_id',
  capacity_places: 'deployment_id',
  fee_bills: 'deployment_id',
  fee_corrections: 'deployment_id',
  fee_payments: 'bill_id',
  refunds: 'charge_id',
  disputes: 'charge_id',
  chargebacks: 'charge_id',
};
const COPIED = ['orders', 'receipts'];
const api = openDatabase(records.url, { asApi: true, poolSize: 2 });
afterAll(() => api.close());

/** Whose rows a query without any condition finds. */
const owners = async (table: keyof typeof LEADS) => {
  const found = await api.pool.query<{ lead: string }>(`select ${LEADS[table]} as lead from ${table}`);
  return [...new Set(found.rows.map(({ lead }) => ownerOf.get(lead)))].toSorted();
};

describe.each(Object.keys(LEADS) as (keyof typeof LEADS)[])('%s', (table) => {
  test('without a condition the rows of one person are found, and nobody else’s', async () => {
    expect(await asPerson(mine, () => owners(table))).toEqual([mine]);
    expect(await asPerson(theirs, () => owners(table))).toEqual([theirs]);
    expect(await asPerson(null, () => owners(table))).toEqual([]);
    expect(await asEverybody(() => owners(table))).toEqual([mine, theirs].toSorted());
  });

  test('the id of a deployment, bill or charge of others is no way round it', async () => {
    const others = [...ownerOf].filter(([, owner]) => owner === theirs).map(([id]) => id);
    const asked = asPerson(mine, () =>
      api.pool.query(`select from ${table} where ${LEADS[table]} = any($1::uuid[]) or ${LEADS[table]} = $2`, [
        others,
        others[0],
      ]),
    );
    expect((await asked).rowCount).toBe(0);
  });

  test('a change reaches no row of others', async () => {
    const change = () =>
      api.pool.query(
        `update ${table} set ${LEADS[table]} = ${LEADS[table]} where ${LEADS[table]} is not null`,
      );
    expect((await asPerson(null, change)).rowCount).toBe(0);
  });

  test('a query that names nobody is an error, not an empty list', async () => {
    await expect(owners(table)).rejects.toThrow('a query of a private table says for whom');
  });

  test('trader, worker and commands see all', async () => {
    const { rows: found } = await records.pool.query(`select distinct ${LEADS[table]} as lead from ${table}`);
    expect(found.map(({ lead }) => ownerOf.get(lead)).toSorted()).toEqual([mine, theirs].toSorted());
  });
});

test.each(COPIED)(
  'the API has no right on %s itself, and none on the views of it for the trader',
  async (table) => {
    await asEverybody(async () => {
      await expect(api.pool.query(`select from public.${table}`)).rejects.toThrow('permission denied');
      await expect(api.pool.query(`update public.${table} set cause = cause`)).rejects.toThrow(
        'permission denied',
      );
      await expect(api.pool.query(`delete from ${table}`)).rejects.toThrow('permission denied');
    });
  },
);

test.each(['open_orders', 'orders_at_broker'])('%s is not the API’s', async (view) => {
  await expect(asEverybody(() => api.pool.query(`select from ${view}`))).rejects.toThrow('permission denied');
});

test('every table with a deployment is private, or is named here with its reason', async () => {
  const { rows: found } = await records.pool.query(
    `select c.relname as name, c.relrowsecurity as locked from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'deployment_id' order by 1`,
  );
  const open = found.filter(({ name, locked }) => !locked && !COPIED.includes(name)).map(({ name }) => name);
  expect(open).toEqual(Object.keys(READ_FOR_ALL).toSorted());
});

const READ_FOR_ALL = {
  adjustments: 'of an account at a broker; proposed and decided by staff',
  incidents: 'of prices, brokers and the service too; counted for everybody',
};

test('whose rows are meant is looked up once for a query, by an index', async () => {
  const client = await records.owner.connect();
  await client.query(
    `set role bellwether_api; set search_path = own_rows, public; set enable_seqscan = off;
     select set_config('bellwether.rows_of', '${mine}', false)`,
  );
  for (const table of ['orders', 'fills', 'ledger_entries'] as const) {
    const plan = await client.query(`explain (costs off) select from ${table} where deployment_id = $1`, [
      [...ownerOf.keys()][0],
    ]);
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toMatch(new RegExp(`Index.* on ${table}`));
    expect(lines).toContain('hashed SubPlan');
    expect(lines).toContain('Index Scan using deployments_of_user');
  }
  client.release(true);
});
