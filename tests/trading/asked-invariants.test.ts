// `npm run verify` compares with what the trader reads: it opens no session at a broker, which would replace the trader's.
import { afterAll, expect, test } from 'vitest';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { isTraderAlive } from '#records/operations/trading-shards.ts';
import { startDesk } from '#tests/support/answering-desk.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { readingOfTrader } from '#trader/invariants/reading-of-trader.ts';
import { valueOf } from '../../src/trader/connections/broker-unavailable.ts';

const handle = await testDatabase();
const { market, venue, trader, ...world } = await tradingWorld(handle);
const session = valueOf('session', await venue.broker.openSession({}));
let opened = 0;
const stopDesk = startDesk({
  handle,
  broker: {
    ...venue.broker,
    openSession: (credentials) => {
      opened += 1;
      return venue.broker.openSession(credentials);
    },
  },
  answersFor: 'connections',
  findSession: async () => session,
});
const questions = createBrokerQuestions(handle);
afterAll(async () => {
  await stopDesk();
  await questions.close();
  await trader.close();
});

const asked = async () => {
  let at = 0;
  const verdicts = await checkInvariants(handle.database, {
    // A later look asks again.
    readingOf: (connection) => readingOfTrader(questions, connection, () => (at += 1_000)),
    pause: async () => undefined,
  });
  return verdicts.filter(({ says }) => /\(account DU1\)/.test(says));
};

test('the broker is read over the trader’s session, and a difference there is found', async () => {
  const version = await world.addStrategy(BOTH_ABOVE_30);
  await world.deploy(version, { account: 'DU1' });
  market.closeDay();
  await trader.tick();
  market.openDay();
  await trader.tick();
  const before = await asked();
  expect(before.map(({ invariant }) => invariant)).toEqual(['I1', 'I2', 'I5', 'I7']);
  expect(before.flatMap(({ violations, notChecked }) => [...violations, notChecked ?? []].flat())).toEqual(
    [],
  );
  await handle.pool.query('update positions set quantity = quantity + 1');
  const found = (await asked()).filter(({ violations }) => violations.length > 0);
  expect(found.map(({ invariant }) => invariant)).toEqual(['I5']);
  await handle.pool.query('update positions set quantity = quantity - 1');
  expect(opened).toBe(0);
});

test('a broker that fails leaves its side unchecked, with the reason', async () => {
  venue.down = true;
  const reasons = new Set((await asked()).map(({ notChecked }) => notChecked?.split(':')[0]));
  venue.down = false;
  expect([...reasons]).toEqual(['unreachable']);
});

test('nobody is asked where no trader is alive', async () => {
  expect(await isTraderAlive(handle.database)).toBe(true);
  await handle.pool.query(`update traders set expires_at = clock_timestamp() - interval '1 second'`);
  expect(await isTraderAlive(handle.database)).toBe(false);
});
