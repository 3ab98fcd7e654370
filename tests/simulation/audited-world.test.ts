// An auditor who has the views alone comes to the figures of the product to the cent, in a world where everything goes wrong that
// can; and finds one changed row of each kind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import type { Finding } from '#audit/rows.ts';
import { audited } from '../support/audited.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { withDatabase } from './database-of-seed.ts';
import { STEPS } from './run-seed.ts';
import { simulate } from './simulate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-audited-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One row, with a column that is changed, or removed where no column is named. */
type Plant = {
  readonly table: string;
  readonly where: string;
  readonly column?: string;
  readonly to?: string;
  /** What must be found of it: its kind, what names the row, and the figure. */
  readonly finds: (row: Readonly<Record<string, unknown>>) => Partial<Finding>;
};

const ofDeployment = (row: Readonly<Record<string, unknown>>) => `of deployment ${String(row.deployment_id)}`;
const money = (table: string, column: string, where = 'true') => ({
  table,
  where,
  column,
  to: `${column} + 10000`,
});

const PLANTS: readonly (readonly [string, Plant])[] = [
  [
    'a fill of another price',
    {
      table: 'fills',
      where: `symbol = 'AAA'`,
      column: 'price',
      to: 'price + 1',
      finds: ({ account_id: account, execution_id: execution }) => ({
        kind: 'ledger',
        row: `fill:${String(account)}:${String(execution)}`,
        figure: 'cash',
      }),
    },
  ],
  [
    'a fill of another commission',
    {
      ...money('fills', 'commission_micro'),
      finds: ({ account_id: account, execution_id: execution }) => ({
        kind: 'fill',
        row: `fill:${String(account)}:${String(execution)}`,
        figure: 'commission',
      }),
    },
  ],
  [
    'a fill that is gone',
    {
      table: 'fills',
      where: 'true',
      finds: ({ account_id: account, execution_id: execution }) => ({
        kind: 'ledger',
        row: `fill:${String(account)}:${String(execution)}`,
        figure: 'cause',
      }),
    },
  ],
  [
    'a ledger entry',
    {
      ...money('ledger_entries', 'amount_micro', `ledger_account = 'realized'`),
      finds: () => ({ kind: 'ledger', figure: 'realized' }),
    },
  ],
  [
    'the result of a round trip',
    {
      ...money('round_trips', 'pnl_micro', 'closed_at is not null'),
      finds: ({ number, symbol, deployment_id: deployment }) => ({
        kind: 'round trip',
        row: `${String(number)} of ${String(symbol)} of deployment ${String(deployment)}`,
        figure: 'result',
      }),
    },
  ],
  [
    'a round trip that is gone',
    {
      table: 'round_trips',
      where: 'closed_at is null',
      finds: () => ({ kind: 'round trip', figure: 'opened' }),
    },
  ],
  [
    'a dividend that was booked',
    {
      ...money('position_events', 'realized_micro', `kind = 'dividend'`),
      finds: ({ symbol, date }) => ({
        kind: 'event of a holding',
        figure: 'realised result',
        row: expect.stringContaining(`${String(symbol)}:${String(date)}`) as string,
      }),
    },
  ],
  [
    'a dividend of the market',
    {
      table: 'corporate_actions',
      where: `kind = 'dividend' and exists (select from position_events e where e.symbol = t.symbol and e.kind = 'dividend' and e.date < t.ex_date and e.date > t.ex_date - 5)`,
      column: 'amount',
      to: 'amount + 0.01',
      finds: ({ symbol }) => ({
        kind: 'corporate action',
        row: expect.stringContaining(`dividend of ${String(symbol)}`) as string,
      }),
    },
  ],
  [
    'a split of the market',
    {
      table: 'corporate_actions',
      where: `kind = 'split' and exists (select from position_events e where e.symbol = t.symbol and e.kind = 'split' and e.date < t.ex_date and e.date > t.ex_date - 5)`,
      column: 'amount',
      to: 'amount + 1',
      finds: ({ symbol }) => ({
        kind: 'corporate action',
        row: expect.stringContaining(`split of ${String(symbol)}`) as string,
      }),
    },
  ],
  [
    'an instrument of another size',
    {
      table: 'instruments',
      where: `symbol = 'AAA'`,
      column: 'multiplier',
      to: 'multiplier * 2',
      finds: () => ({ kind: 'ledger', figure: 'cash' }),
    },
  ],
  [
    'a close',
    {
      table: 'bars',
      where: `interval = '1d' and symbol = 'AAA'`,
      column: 'close',
      to: 'close * 1.001',
      finds: ({ symbol, date }) => ({
        kind: 'close',
        row: `${String(symbol)} on ${String(date)}`,
        figure: 'seal',
      }),
    },
  ],
  [
    'the cash of a deployment',
    {
      ...money('deployments', 'cash_micro'),
      finds: ({ id }) => ({ kind: 'deployment', row: `deployment ${String(id)}`, figure: 'cash' }),
    },
  ],
  [
    'the realised profit of a deployment',
    {
      ...money('deployments', 'realized_micro'),
      finds: ({ id }) => ({ kind: 'deployment', row: `deployment ${String(id)}`, figure: 'realised profit' }),
    },
  ],
  [
    'the high-water mark of a deployment',
    {
      ...money('deployments', 'high_water_mark_micro'),
      finds: ({ id }) => ({ kind: 'deployment', row: `deployment ${String(id)}`, figure: 'high-water mark' }),
    },
  ],
  [
    'a position of other units',
    {
      table: 'positions',
      where: 'true',
      column: 'quantity',
      to: 'quantity + 1',
      finds: (row) => ({
        kind: 'position',
        row: `${String(row.symbol)} ${ofDeployment(row)}`,
        figure: 'units',
      }),
    },
  ],
  [
    'a position of another value',
    {
      ...money('positions', 'current_value_micro'),
      finds: (row) => ({
        kind: 'position',
        row: `${String(row.symbol)} ${ofDeployment(row)}`,
        figure: 'current value',
      }),
    },
  ],
  [
    'the cash of a day',
    {
      ...money('equity_marks', 'cash_micro'),
      finds: (row) => ({ kind: 'day', row: `${String(row.date)} ${ofDeployment(row)}`, figure: 'cash' }),
    },
  ],
  [
    'the value of a day',
    {
      ...money('equity_marks', 'equity_micro'),
      finds: (row) => ({ kind: 'day', row: `${String(row.date)} ${ofDeployment(row)}`, figure: 'equity' }),
    },
  ],
  [
    'what was held on a day',
    {
      table: 'equity_marks',
      where: `held ? 'AAA'`,
      column: 'held',
      to: `jsonb_set(held, '{AAA,units}', to_jsonb((held #>> '{AAA,units}')::numeric + 1))`,
      finds: (row) => ({
        kind: 'day',
        row: `${String(row.date)} ${ofDeployment(row)}`,
        figure: 'what was held',
      }),
    },
  ],
  ...(
    [
      ['settled_result_micro', 'settled result'],
      ['worth_micro', 'worth'],
      ['high_water_before_micro', 'high-water mark before'],
      ['fee_micro', 'fee'],
      ['high_water_after_micro', 'high-water mark after'],
    ] as const
  ).map(
    ([column, figure]) =>
      [
        `a bill: ${figure}`,
        {
          ...money('fee_bills', column, 'not is_closing and worth_at is not null'),
          finds: (row) => ({ kind: 'bill', row: `${String(row.number)} ${ofDeployment(row)}`, figure }),
        } satisfies Plant,
      ] as const,
  ),
  [
    'the rate of a bill',
    {
      table: 'fee_bills',
      where: 'fee_micro > 0',
      column: 'fee_percent',
      to: '20',
      finds: (row) => ({ kind: 'bill', row: `${String(row.number)} ${ofDeployment(row)}`, figure: 'rate' }),
    },
  ],
  [
    'the period of a bill',
    {
      table: 'fee_bills',
      where: 'not is_closing',
      column: 'period_end',
      to: `period_end + interval '1 hour'`,
      finds: (row) => ({ kind: 'bill', row: `${String(row.number)} ${ofDeployment(row)}`, figure: 'end' }),
    },
  ],
  [
    'a bill that is gone',
    { table: 'fee_bills', where: 'fee_micro > 0', finds: () => ({ kind: 'ledger', figure: 'cause' }) },
  ],
  [
    'money added or withdrawn of another amount',
    {
      ...money('deployment_flows', 'moved_micro', `status = 'done'`),
      // It is never more than was asked for.
      to: 'moved_micro - 10000',
      finds: (row) => ({ kind: 'ledger', row: `${String(row.kind)}:${String(row.id)}`, figure: 'cash' }),
    },
  ],
  [
    'how often an account is billed',
    {
      table: 'users',
      where: `id in (select user_id from deployments)`,
      column: 'fee_period',
      to: `case fee_period when 'weekly' then 'monthly' else 'weekly' end`,
      finds: () => ({ kind: 'fee period', figure: 'length' }),
    },
  ],
];

test('an auditor recomputes a world to the cent, and finds one changed row of each kind', {
  timeout: 600_000,
}, async () => {
  await inWorld(35, async (records) => {
    const { rows } = await records.pool.query<{ kinds: string[]; paid: number }>(
      `select array(select distinct kind from position_events order by 1) as kinds,
         (select count(*)::int from fee_bills where fee_micro > 0) as paid`,
    );
    expect(rows[0]!.kinds).toEqual(['dividend', 'split', 'swap']);
    expect(rows[0]!.paid).toBeGreaterThan(0);
    expect(await audited(records.database)).toEqual([]);
    // Whoever owns the tables can drop what they promise.
    await records.owner.query(`do $$ declare one text; begin
      for one in select conname from pg_constraint where conrelid = 'fee_bills'::regclass and contype = 'c' loop
        execute format('alter table fee_bills drop constraint %I', one); end loop; end $$`);
    const missed: unknown[] = [];
    for (const [name, plant] of PLANTS) {
      const { row, found } = await planted(records, plant);
      const sought = expect.objectContaining(plant.finds(row)) as unknown;
      if (!found.some((one) => equals(one, sought)))
        missed.push({ name, sought: plant.finds(row), found: found.slice(0, 3) });
    }
    expect(missed).toEqual([]);
    expect(await audited(records.database)).toEqual([]);
  });
});

test('an auditor recomputes what practised and what traded at a second vendor', {
  timeout: 600_000,
}, async () => {
  await inWorld(200_001, async (records) => expect(await audited(records.database)).toEqual([]));
});

function equals(one: unknown, sought: unknown): boolean {
  try {
    expect(one).toEqual(sought);
    return true;
  } catch {
    return false;
  }
}

function inWorld(seed: number, work: (records: TestDatabase) => Promise<void>): Promise<void> {
  return withDatabase(inject('database'), `audited_${seed}_${process.pid}`, async (records) => {
    const { violations } = await simulate(seed, records, { steps: STEPS, keys: path.join(folder, 'keys') });
    expect(violations).toEqual([]);
    await work(records);
  });
}

/** As whoever owns the tables could, past every trigger; and taken back. */
async function planted({ owner, database }: TestDatabase, { table, where, column, to }: Plant) {
  const client = await owner.connect();
  const put = `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, $1)`;
  try {
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query<{ ctid: string; row: Record<string, unknown> }>(
      `select ctid::text, to_jsonb(t) as row from ${table} t where ${where} order by ctid limit 1`,
    );
    const [chosen] = rows;
    if (chosen === undefined) throw new Error(`no row of ${table} where ${where}`);
    const changed =
      column === undefined
        ? null
        : (
            await client.query<{ row: unknown }>(
              `update ${table} t set ${column} = ${to} where ctid = $1::tid returning ctid::text as row`,
              [chosen.ctid],
            )
          ).rows[0]!.row;
    if (changed === null) await client.query(`delete from ${table} where ctid = $1::tid`, [chosen.ctid]);
    const found = await audited(database);
    if (changed !== null) await client.query(`delete from ${table} where ctid = $1::tid`, [changed]);
    await client.query(put, [chosen.row]);
    return { row: chosen.row, found };
  } finally {
    await client.query('set session_replication_role = origin');
    client.release();
  }
}
