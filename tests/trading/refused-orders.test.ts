// An order whose refusal was none: the broker took it all the same.
import { describe, expect, test } from 'vitest';
import { faultStage } from '../support/fault-stage.ts';

const { world, market, venue, version, rows, statuses, submittedOnce, runTicks } = await faultStage();

describe('a refusal that was none, in words that nobody knows', () => {
  test('leaves an order that works: it is cancelled at the next look, and nothing is sent twice', async () => {
    const id = await world.deploy(version);
    venue.faults.push('rejected, accepted');
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA rejected', 'BBB working']);
    expect(venue.orders.slice(-2).map(({ symbol, status }) => `${symbol} ${status}`)).toEqual([
      'AAA cancelled',
      'BBB working',
    ]);
    submittedOnce();
    await world.everythingHolds();
  });

  test('books what it fills before that', async () => {
    const id = await world.deploy(version);
    venue.cancellations = 'fill wins';
    venue.faults.push('rejected, accepted');
    market.openDay();
    await runTicks();
    venue.cancellations = 'at once';
    await runTicks();
    const units = await rows(
      `select symbol, quantity::float8 * 1e8 as units from positions where deployment_id = $1`,
      id,
    );
    const [own] = await rows(
      `select account_id as account from broker_connections c join deployments d on d.broker_connection_id = c.id
       where d.id = $1`,
      id,
    );
    for (const { symbol, units: booked } of units) expect(booked).toBe(venue.position(own.account, symbol));
    expect(units.map(({ symbol }) => symbol).toSorted()).toEqual(['AAA', 'BBB']);
    submittedOnce();
    await world.everythingHolds();
  });
});
