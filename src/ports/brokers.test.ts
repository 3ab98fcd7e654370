import { expect, it } from 'vitest';
import { practice } from '#adapters/broker/practice/practice.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { fixedFeed } from '#tests/broker/practice-harness.ts';
import { fixedPrices, SATURDAY } from '#tests/broker/fixed-prices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type OpenCredentials, openSessionOf } from './brokers.ts';

const { database } = await testDatabase();
const venue = practice({
  store: practiceStore(database),
  feed: fixedFeed(fixedPrices(), { at: SATURDAY, volume: 0 }),
  findInstrument: () => null,
});

/** Any credentials open its one session, as under an adviser. */
const opened: BrokerCredentials[] = [];
const adviser: Broker<'adviser'> = {
  ...venue,
  vendor: 'adviser',
  completeAuthorization: () => Promise.resolve({ outcome: 'failed', code: 'refused', reason: 'adviser' }),
  openSession(credentials) {
    opened.push(credentials);
    return Promise.resolve({ outcome: 'failed', code: 'refused', reason: 'adviser' });
  },
};

async function openWith(vendor: string, credentials: BrokerCredentials) {
  const connection = { id: 'c' as BrokerConnectionId, vendor, sealedCredentials: new Uint8Array() };
  const openCredentials = (() => credentials) as unknown as OpenCredentials;
  return openSessionOf({ brokers: [adviser, venue], openCredentials }, connection);
}

it('opens a practice connection at the practice venue alone, beside a broker that takes any credentials', async () => {
  const access = await venue.openAccount({ cash: toMicro(10_000) });
  if (access.outcome === 'failed') throw new Error(access.reason);
  expect((await openWith('practice', access.value.credentials)).outcome).toBe('ok');
  const forged = await openWith('practice', { ...access.value.credentials, accessToken: 'x' });
  expect(forged).toMatchObject({ outcome: 'failed', code: 'unauthorized' });
  expect(opened).toEqual([]);
});

it('opens no practice account with the credentials of a broker', async () => {
  expect(await openWith('adviser', { accessToken: 'of a client' })).toMatchObject({ reason: 'adviser' });
  expect(await openWith('practice', { accessToken: 'of a client' })).toMatchObject({ code: 'unauthorized' });
});

it('refuses in the types to open the session of a broker with practice credentials', async () => {
  const access = await venue.openAccount({ cash: toMicro(10_000) });
  if (access.outcome === 'failed') throw new Error(access.reason);
  // @ts-expect-error: credentials of the practice venue fit no other vendor.
  await adviser.openSession(access.value.credentials);
});
