// Strategies of hours and minutes in the product's own trader, from their first bar to the account at the broker: through closes of a
// session, a restart, a feed that is away, the end of the session and the next morning.
import { afterAll, describe, expect, test } from 'vitest';
import { intradayWorld } from '#tests/support/intraday-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';

describe('a strategy of hours', async () => {
  // A Monday: its session is 14:30 to 21:00 UTC.
  const world = await intradayWorld(await testDatabase(), { at: '2026-11-23T14:40:00Z' });
  afterAll(() => world.close());
  let version: string;
  let deployment: string;
  const sides = () => world.orders().map(({ side, status }) => `${side} ${status}`);

  test('follows the newest close from its deployment on', async () => {
    version = await world.addStrategy({});
    deployment = await world.deploy(version);
    await world.look();
    // The last part of Friday was half an hour, and above a hundred.
    expect(await world.targets(version)).toEqual([{ at: '2026-11-20T21:00', weight: 0.5, rebalance: true }]);
    expect(sides()).toEqual(['buy filled']);
  });

  test('decides at each close of an hour counted from the open, once its bar is complete', async () => {
    await world.goTo('2026-11-23T15:30:10Z');
    expect(await world.targets(version)).toHaveLength(1);
    await world.goTo('2026-11-23T15:31:00Z');
    expect((await world.targets(version)).slice(1).map(({ at }) => at)).toEqual(['2026-11-23T15:30']);
  });
});
