import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '#tests/support/test-deployment.ts';
import { sellRest } from '#tests/support/test-trading.ts';

const app = await testApp();

test('what was entered and left again is one closed trade, net of commission; the win rate counts it, not its orders', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await sellRest(app, deploymentId);
  const read = (end: string, token = person.token) =>
    app.request({ url: `/api/deployments/${deploymentId}/${end}`, token });
  // One order made 200, one lost 120, and three commissions were paid.
  expect((await read('')).body).toMatchObject({
    total_trades: 3,
    closed_trades: 1,
    won_trades: 1,
    lost_trades: 0,
    win_rate: 100,
    total_pnl: 77,
  });
  const trade = {
    id: 'SPY:1',
    ticker: 'SPY',
    side: 'long',
    opened_at: '2026-01-06T14:30:00.000Z',
    closed_at: '2026-01-08T14:30:00.000Z',
    quantity: 10,
    entry_price: 400,
    exit_price: 408,
    currency: 'USD',
    entry_value: 4000,
    commission: 3,
    income: 0,
    pnl: 77,
    pnl_percentage: 1.925,
    closed_by: 'order',
    text: '',
  };
  expect((await read('closed-trades/')).body).toEqual([trade]);
  const { text } = await read('closed-trades/csv/');
  expect(text.trim().split(/\r?\n/)).toEqual([
    Object.keys(trade)
      .filter((name) => name !== 'text')
      .join(','),
    Object.entries(trade)
      .filter(([name]) => name !== 'text')
      .map(([, value]) => value)
      .join(','),
  ]);
  const orders = (await read('trades/csv/')).text.trim().split(/\r?\n/);
  expect(orders.map((line) => line.split(',')[3])).toEqual(['trade_type', 'buy', 'sell', 'sell']);
  const { person: other } = await newDeployment(app);
  for (const end of ['closed-trades/', 'closed-trades/csv/', 'trades/csv/'])
    expect((await read(end, other.token)).status).toBe(404);
});
