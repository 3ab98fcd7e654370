import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cashOf, testApp } from '../../../tests/support/test-app.ts';
import { readyPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request, world } = app;
const strategy = await publishedStrategy(app);

test('of people who share a brokerage account no two claim the same cash, not even at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    world.accountId = `DU${randomUUID().slice(0, 7)}`;
    const people = [
      await readyPerson(app),
      await readyPerson(app),
      await readyPerson(app),
      await readyPerson(app),
    ];
    world.cash = cashOf(25_000);
    const answers = await Promise.all(
      people.map(({ token, connectionId }) =>
        request({
          method: 'POST',
          url: '/api/deployments/',
          token,
          body: {
            strategy,
            broker_connection: connectionId,
            investment_amount: 10_000,
            stop_loss_percentage: 10,
            max_allocation_per_trade: 20,
            freeze_on_drawdown: 25,
          },
        }),
      ),
    );
    world.cash = cashOf(1_000_000);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    for (const { status, body } of answers) if (status === 422) expect(body.code).toBe('insufficient_cash');
  }
});
