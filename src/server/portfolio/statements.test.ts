import { expect, test } from 'vitest';
import type { Statement } from '#contract/portfolio.ts';
import { postTransaction } from '#records/portfolio/ledger.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

const app = await testApp();
const { records, request } = app;

/** 10 SPY bought at 400 on 6 January, 4 sold at 450 on the 7th, a dividend of $12 that evening; $1 a trade. */
async function traded() {
  const { person, deploymentId } = await tradedDeployment(app);
  const { pool } = records;
  await pool.query(`update deployments set deployed_at = '2026-01-05T15:00Z' where id = $1`, [deploymentId]);
  const { rows } = await pool.query(
    `select execution_id as id, account_id as account from fills where deployment_id = $1 order by executed_at`,
    [deploymentId],
  );
  const [bought, sold] = rows.map(({ id, account }) => `${account}:${id}`);
  const post = (
    kind: 'fill' | 'position_event',
    cause: string,
    at: string,
    amounts: Partial<Record<'cash' | 'holdings' | 'realized' | 'commission', number>>,
  ) =>
    records.database.transaction().execute((trx) =>
      postTransaction(trx, {
        deploymentId: deploymentId as DeploymentId,
        kind,
        cause,
        at: instant(Date.parse(at)),
        entries: Object.entries(amounts).map(([account, dollars]) => ({
          account: account as 'cash',
          amount: toMicro(dollars),
        })),
      }),
    );
  await post('fill', `fill:${bought}`, '2026-01-06T14:30Z', { cash: -4001, holdings: 4000, commission: 1 });
  await post('fill', `fill:${sold}`, '2026-01-07T14:30Z', {
    cash: 1799,
    holdings: -1600,
    realized: -200,
    commission: 1,
  });
  await post('position_event', `dividend:${deploymentId}:SPY:2026-01-07`, '2026-01-07T21:00Z', {
    cash: 12,
    realized: -12,
  });
  const held = (units: number, price: number) => JSON.stringify({ SPY: { units, price } });
  await pool.query(
    `update equity_marks set held = case date when '2026-01-06' then $2::jsonb when '2026-01-07' then $3::jsonb else '{}' end,
       equity_micro = equity_micro + case date when '2026-01-07' then 12000000 else 0 end,
       cash_micro = cash_micro + case date when '2026-01-07' then 12000000 else 0 end
     where deployment_id = $1`,
    [deploymentId, held(10, 401), held(6, 435)],
  );
  await pool.query(
    `update deployments set cash_micro = cash_micro + 12000000, equity_micro = equity_micro + 12000000,
       realized_micro = realized_micro + 12000000 where id = $1`,
    [deploymentId],
  );
  return { token: person.token, deploymentId };
}

const read = async (token: string, query: string) =>
  (await request({ url: `/api/statements/?${query}`, token })).body as Statement;

test('a day sums from its start to its end', async () => {
  const { token } = await traded();
  const { total, lots, from, to } = await read(token, 'period=day&day=2026-01-07');
  expect([from, to]).toEqual(['2026-01-07', '2026-01-07']);
  expect(total).toEqual({
    start_value: 10_009,
    money_in: 0,
    money_out: 0,
    income: 12,
    financing: 0,
    realized_gains: 200,
    unrealized_change: 200,
    costs: -1,
    performance_fees: 0,
    invoiced_apart: 0,
    corrections: 0,
    residual: 0,
    end_value: 10_420,
  });
  expect(lots).toEqual([
    expect.objectContaining({
      ticker: 'SPY',
      quantity: 4,
      opened_on: '2026-01-06',
      closed_on: '2026-01-07',
      proceeds: 1_800,
      basis: 1_600,
      // A dollar of the sale, and four tenths of the dollar of the purchase.
      costs: 1.4,
      taxable_gain: 198.6,
      term: 'short',
    }),
  ]);
});

test('the whole life begins with the money put in', async () => {
  const { token, deploymentId } = await traded();
  const { total, deployments } = await read(token, `period=year&deployment=${deploymentId}`);
  expect(total).toMatchObject({ start_value: 0, money_in: 10_000, residual: 0, end_value: 10_330 });
  expect(deployments.map(({ deployment }) => deployment)).toEqual([deploymentId]);
});

test('the figures, the lots and the trades are there as CSV, and the statement as PDF', async () => {
  const { token } = await traded();
  const file = async (path: string) =>
    request({ url: `/api/statements/${path}/?period=month&day=2026-01-15`, token });
  const figures = await file('csv');
  expect(figures.headers['content-disposition']).toContain('statement-2026-01-01-to-2026-01-31.csv');
  expect(figures.text.trim().split('\r\n').at(-1)).toMatch(/^,All,2026-01-01,2026-01-31,0,10000,/);
  expect((await file('lots/csv')).text.trim().split('\r\n')).toHaveLength(2);
  const trades = (await file('trades/csv')).text.trim().split('\r\n');
  expect(trades).toHaveLength(3);
  expect(trades[1]).toContain(',SPY,buy,10,400,USD,4000,1');
  const pdf = await file('pdf');
  expect(pdf.headers['content-type']).toContain('application/pdf');
  expect(pdf.headers['cache-control']).toContain('no-store');
  expect(pdf.text.slice(0, 5)).toBe('%PDF-');
});

test('nobody else reads it, and there is none before the first deployment', async () => {
  const { deploymentId } = await newDeployment(app);
  const { token } = await signedInPerson(app);
  for (const query of ['', `?deployment=${deploymentId}`])
    expect((await request({ url: `/api/statements/${query}`, token })).status).toBe(404);
});

test('a period, a day or a method that does not exist is refused by its name', async () => {
  const { token } = await traded();
  for (const [query, field] of [
    ['period=week', 'period'],
    ['day=2026-02-30', 'day'],
    ['method=best', 'method'],
  ]) {
    const { status, text } = await request({ url: `/api/statements/?${query}`, token });
    expect([status, text.includes(field!)]).toEqual([400, true]);
  }
});
