import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';

const app = await testApp();
const { request } = app;

test('a strategy of hours is refused in words, in practice and over a connection, and its page says so', async () => {
  const { token, connectionId } = await readyPerson(app);
  const hours = await publishedStrategy(app, { interval: '1h' });
  const why = expect.stringContaining(
    'reads bars of 1h, and the prices here have no such bars in time to trade on',
  );
  const practised = {
    strategy: hours,
    investment_amount: 10_000,
    stop_loss_percentage: 10,
    max_allocation_per_trade: 20,
    freeze_on_drawdown: 25,
  };
  for (const [url, body] of [
    ['/api/practice-deployments/', practised],
    ['/api/deployments/', { ...practised, broker_connection: connectionId }],
  ] as const)
    expect(await request({ method: 'POST', url, token, body })).toMatchObject({
      status: 422,
      body: { code: 'strategy_unavailable', field: 'strategy', message: why },
    });
  const noteOf = async (id: string) =>
    (await request({ url: `/api/strategies/${id}/`, token })).body.offer_note;
  expect(await noteOf(hours)).toEqual(why);
  expect(await noteOf(await publishedStrategy(app))).toBeNull();
  expect(await noteOf(await publishedStrategy(app, { status: 'retired' }))).toContain('no longer offered');
});
