import { expect, it } from 'vitest';
import { practice } from '#adapters/broker/practice/practice.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { fixedFeed } from '#tests/broker/practice-harness.ts';
import { fixedPrices, SATURDAY } from '#tests/broker/fixed-prices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { toMicro } from '#units/money.ts';
import { routePractice } from './route-practice.ts';

const { database } = await testDatabase();
const venue = practice({
  store: practiceStore(database),
  feed: fixedFeed(fixedPrices(), { at: SATURDAY, volume: 0 }),
  findInstrument: () => null,
});

/** Any credentials open its one session, as under an adviser. */
function takesAnything() {
  const seen: BrokerCredentials[] = [];
  const refused = { outcome: 'failed', code: 'refused', reason: 'real' } as const;
  const openSession: Broker['openSession'] = (credentials) => {
    seen.push(credentials);
    return Promise.resolve(refused);
  };
  return { seen, broker: { ...venue, vendor: 'real', openSession } };
}

it('opens practice accounts at the practice venue alone, even where the broker would take any credentials', async () => {
  const real = takesAnything();
  const broker = routePractice(real.broker, venue);
  const opened = await venue.openAccount({ cash: toMicro(10_000) });
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  const session = await broker.openSession(opened.value.credentials);
  expect(session.outcome).toBe('ok');
  expect(real.seen).toEqual([]);
  const forged = await broker.openSession({ ...opened.value.credentials, accessToken: 'x' });
  expect(forged).toMatchObject({ outcome: 'failed', code: 'unauthorized' });
  expect(real.seen).toEqual([]);
});

it('opens nothing at the practice venue with the credentials of a broker', async () => {
  const real = takesAnything();
  const broker = routePractice(real.broker, venue);
  const answer = await broker.openSession({ accessToken: 'of a client' });
  expect(answer).toMatchObject({ reason: 'real' });
  expect(await venue.openSession({ accessToken: 'of a client' })).toMatchObject({ code: 'unauthorized' });
});
