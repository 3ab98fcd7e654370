import { expect, test } from 'vitest';
import type { CashEntry, CashLedger } from '#contract/cash-ledger.ts';
import { postTransaction } from '#records/portfolio/ledger.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '#tests/support/test-deployment.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

const app = await testApp();
const { records, request } = app;
type Entries = Parameters<typeof postTransaction>[1]['entries'];
type Account = Entries[number]['account'];

async function booked() {
  const { person, deploymentId } = await tradedDeployment(app);
  const { rows } = await records.pool.query(
    `select execution_id as id, account_id as account from fills where deployment_id = $1 order by executed_at`,
    [deploymentId],
  );
  const [bought, sold] = rows.map(({ id, account }) => `${account}:${id}`);
  const post = (
    kind: 'fill' | 'commission' | 'position_event' | 'fee',
    cause: string,
    amounts: Partial<Record<Account, number>>,
  ) =>
    records.database.transaction().execute((trx) =>
      postTransaction(trx, {
        deploymentId: deploymentId as DeploymentId,
        kind,
        cause,
        at: instant(Date.parse('2026-01-07T21:00:00Z')),
        entries: Object.entries(amounts).map(([account, dollars]) => ({
          account: account as Account,
          amount: toMicro(dollars),
        })),
      }),
    );
  const day = `${deploymentId}:SPY:2026-01-07`;
  await post('fill', `fill:${bought}`, { cash: -4001, holdings: 4000, commission: 1 });
  await post('fill', `fill:${sold}`, { cash: 1799, holdings: -1600, realized: -200, commission: 1 });
  await post('commission', `commission:${bought}:1`, { cash: 0.4, commission: -0.4 });
  await post('position_event', `dividend:${day}`, { cash: 12, realized: -12 });
  await post('position_event', `dividend_figure:${day}:1`, { cash: -1.8, realized: 1.8 });
  await post('position_event', `swap:${deploymentId}:EURUSD:2026-01-07`, { cash: -0.25, realized: 0.25 });
  await post('position_event', `delivery_figure:${day}:1`, { cash: 0.05, realized: -0.05 });
  await post('position_event', `split:${day}`, { cash: 0 });
  await post('fee', `fee:${deploymentId}:1`, { fees: 60, payable: -60 });
  return { person, deploymentId };
}

test('every movement of cash is listed with what it was, a page at a time, and sums to the cash', async () => {
  const { person, deploymentId } = await booked();
  const url = `/api/deployments/${deploymentId}/cash/`;
  const read = async (query: string) =>
    (await request({ url: `${url}${query}`, token: person.token })).body as CashLedger;
  const first = await read('?limit=3');
  const rest = await read(`?before=${first.next}`);
  expect(rest.next).toBe(null);
  const entries = [...first.entries, ...rest.entries].toReversed();
  expect(entries.map(({ text, amount, balance }) => [text, amount, balance])).toEqual([
    ['Money put in', 10_000, 10_000],
    ['Bought 10 SPY at $400', -4001, 5999],
    ['Sold 4 SPY at $450', 1799, 7798],
    ['Commission, as your broker charged it: SPY', 0.4, 7798.4],
    ['Dividend: SPY', 12, 7810.4],
    ["Dividend: SPY, corrected to your broker's figure", -1.8, 7808.6],
    ['Overnight financing: EURUSD', -0.25, 7808.35],
    ["Delivery of shares: SPY, corrected to your broker's figure", 0.05, 7808.4],
    ['Performance fee of $60, invoiced separately', 0, 7808.4],
  ]);
  expect(entries.map(({ commission }) => commission)).toEqual([0, 1, 1, -0.4, 0, 0, 0, 0, 0]);
  expect(first.totals).toEqual([
    { kind: 'opening', amount: 10_000 },
    { kind: 'fill', amount: -2200 },
    { kind: 'commission', amount: -1.6 },
    { kind: 'dividend', amount: 10.2 },
    { kind: 'swap', amount: -0.25 },
    { kind: 'delivery', amount: 0.05 },
  ]);
  expect(first.cash_balance).toBe(7808.4);
});

test('as CSV they are whole, oldest first', async () => {
  const { person, deploymentId } = await booked();
  const { text, headers } = await request({
    url: `/api/deployments/${deploymentId}/cash/csv/`,
    token: person.token,
  });
  expect(headers['content-type']).toContain('text/csv');
  const lines = text.trim().split(/\r?\n/);
  expect(lines[0]).toBe('id,at,kind,text,symbol,amount,commission,balance');
  expect(lines).toHaveLength(10);
  expect(lines[1]).toContain(',opening,Money put in,,10000,0,10000');
  expect(lines.at(-1)).toContain(',0,0,7808.4');
});

test('nobody else reads them', async () => {
  const { deploymentId } = await newDeployment(app);
  const { person: other } = await newDeployment(app);
  for (const path of ['', 'csv/'])
    expect(
      (await request({ url: `/api/deployments/${deploymentId}/cash/${path}`, token: other.token })).status,
    ).toBe(404);
});

test('a deployment that has not traded has its opening alone', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const { body } = await request({ url: `/api/deployments/${deploymentId}/cash/`, token: person.token });
  expect((body.entries as CashEntry[]).map(({ kind }) => kind)).toEqual(['opening']);
  expect(body).toMatchObject({ next: null, cash_balance: 10_000 });
});
