import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request } = app;
const trade = {
  id: 't1',
  symbol: '=SPY()',
  side: 'short' as const,
  entry_date: '2025-11-03',
  exit_date: '2025-11-10',
  entry_price: 100,
  exit_price: 101.5,
  quantity: 12,
  pnl: -1.5,
  pnl_amount: -18,
};
const calm = await publishedStrategy(app, { trades: [trade, { ...trade, id: 't2', symbol: 'QQQ' }] });
const wild = await publishedStrategy(app, { name: 'Wild Coins', kind: 'crypto', riskScore: 5 });
const draft = await publishedStrategy(app, { status: 'draft' });

test('visitors see what is published, with the figures of its stored result', async () => {
  const { status, body } = await request({ url: '/api/strategies/' });
  expect(status).toBe(200);
  expect(body.map(({ id }: { id: string }) => id)).toEqual([calm, wild]);
  expect(body[0]).toMatchObject({
    min_investment: 5000,
    fees: 30,
    sharpeRatio: 1.2,
    backtest_results: { return_inception: 5.9, return_1y: null, total_trades: 2 },
    evidence: { input_hash: 'in', result_hash: 'out' },
    as_of: '2025-12-30',
  });
  expect(body[0].performanceChart.data).toHaveLength(40);
  expect(body[0].performanceChart.data.at(-1)).toBe(105_900);
});

test.each([
  ['?market=crypto', [wild]],
  ['?market=stocks', [calm]],
  ['?market=us&risk=all&type=all', [calm, wild]],
  ['?search=WILD', [wild]],
  ['?risk=high', []],
  ['?is_featured=true', []],
])('the filter %s leaves %j', async (query, expected) => {
  const { body } = await request({ url: `/api/strategies/${query}` });
  expect(body.map(({ id }: { id: string }) => id)).toEqual(expected);
});

test('filters may come in a body, and a wrong one is named', async () => {
  const filter = (body: object) => request({ method: 'POST', url: '/api/strategies/filter/', body });
  expect((await filter({ market: 'crypto' })).body).toMatchObject([{ id: wild }]);
  expect(await filter({ market: 'moon' })).toMatchObject({ status: 400, body: { field: 'market' } });
});

test('a draft, an absent id and what is no id are all not found', async () => {
  for (const id of [draft, randomUUID(), 'new']) {
    for (const end of ['', 'performance/', 'trades/', 'strategy_trades_csv']) {
      const answer = await request({ url: `/api/strategies/${id}/${end}` });
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  }
});

test('performance by week ends on the last day, and a range holds its days', async () => {
  const week = await request({ url: `/api/strategies/${calm}/performance/?timeframe=week` });
  expect(week.body.labels.slice(0, 2)).toEqual(['2025-11-02', '2025-11-09']);
  expect(week.body.labels.at(-1)).toBe('2025-12-30');
  expect(week.body.drawdown.labels).toHaveLength(60);
  expect(week.body.recent_trades.map(({ id }: { id: string }) => id)).toEqual(['t2', 't1']);
  const range = await request({ url: `/api/strategies/${calm}/performance?timeframe=1W` });
  expect(range.body.labels).toHaveLength(8);
  expect(range.body.labels[0]).toBe('2025-12-23');
});

test('the trade log is a CSV file in which no cell is a formula', async () => {
  const answer = await request({ url: `/api/strategies/${calm}/strategy_trades_csv` });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=".*-trades.csv"$/);
  expect(answer.text).toBe(
    [
      'symbol,side,entry_date,exit_date,entry_price,exit_price,quantity,pnl',
      `"'=SPY()",short,2025-11-03,2025-11-10,100,101.5,12,-18`,
      'QQQ,short,2025-11-03,2025-11-10,100,101.5,12,-18',
      '',
    ].join('\r\n'),
  );
});

test('the log of a public strategy may be kept for a minute', async () => {
  const { headers } = await request({ url: `/api/strategies/${calm}/strategy_trades_csv` });
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=60',
    'referrer-policy': 'no-referrer',
  });
});

test('a long log is read in parts and arrives whole, oldest first', async () => {
  const many = Array.from({ length: 1_001 }, (_, i) => ({ ...trade, id: `n${i}`, symbol: `S${i}` }));
  const long = await publishedStrategy(app, { name: 'Zealous', trades: many });
  const { text } = await request({ url: `/api/strategies/${long}/strategy_trades_csv` });
  const symbols = text.split('\r\n').map((line) => line.split(',')[0]);
  expect(symbols).toEqual(['symbol', ...many.map(({ symbol }) => symbol), '']);
});
