// Practice behind the broker port: a venue of our own that fills orders from the feed's quotes at the costs of the
// engine. It reaches its store and the market feed, and nothing else: no address of a broker exists in it.
import { createHash, randomBytes } from 'node:crypto';
import { INSTRUMENT_KINDS, type Instrument } from '#engine/market/instrument.ts';
import type { Broker, BrokerAnswer, BrokerSession } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { PracticeAccess, PracticeVenue } from '#ports/practice-venue.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { failed } from '../exchange.ts';
import type { PracticeStore } from './practice-store.ts';
import { createMarketReader } from './read-market.ts';
import { createSession } from './session.ts';
import { tryStore } from './try-store.ts';

export type PracticeConfig = {
  readonly store: PracticeStore;
  readonly feed: MarketDataFeed;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  readonly openingCash?: Micro;
};

export function practice({
  store,
  feed,
  findInstrument,
  openingCash = toMicro(1_000_000),
}: PracticeConfig): Broker<'practice'> & PracticeVenue {
  const market = createMarketReader(feed, findInstrument);
  const open = async (accountId: BrokerAccountId, cash: Micro): Promise<BrokerAnswer<PracticeAccess>> => {
    const clock = await market.clock();
    if (!clock.ok) return failed('unreachable', clock.message);
    const accessToken = randomBytes(24).toString('hex');
    const account = { accountId, tokenHash: hashOf(accessToken), cash, at: clock.value.now };
    const opened = await tryStore(() => store.open(account));
    if (opened.outcome === 'failed') return opened;
    if (opened.value === 'taken') return failed('unauthorized', 'the account was opened before');
    return { outcome: 'ok', value: { accountId, credentials: { accessToken } } };
  };
  return {
    openAccount: ({ cash }) => open(accountOf(randomBytes(16).toString('hex')), cash),
    vendor: 'practice',
    limits: { executionHistoryDays: HISTORY_DAYS, listLagMs: 0, stopKinds: INSTRUMENT_KINDS },
    keepsMarketTime: true,
    resetAt: () => null,
    /** There is nobody to ask: coming back is the permission. */
    beginAuthorization({ callbackUrl }) {
      const requestToken = randomBytes(16).toString('hex');
      const back = new URL(callbackUrl);
      back.searchParams.set('oauth_verifier', verifierOf(requestToken));
      return Promise.resolve({ outcome: 'ok', value: { requestToken, authorizeUrl: back.href } });
    },
    async completeAuthorization({ requestToken, verifier }) {
      if (verifier !== verifierOf(requestToken)) return failed('unauthorized', 'this was never begun here');
      const opened = await open(accountOf(requestToken), openingCash);
      if (opened.outcome === 'failed') return opened;
      return { outcome: 'ok', value: { credentials: opened.value.credentials, isPaper: true } };
    },
    async openSession({ accessToken }): Promise<BrokerAnswer<BrokerSession>> {
      const found = await tryStore(() => store.findByToken(hashOf(String(accessToken))));
      if (found.outcome === 'failed') return found;
      if (found.value === null) return failed('unauthorized', 'no practice account has this token');
      return { outcome: 'ok', value: createSession(found.value, { store, market, findInstrument }) };
    },
  };
}

function accountOf(requestToken: string): BrokerAccountId {
  return `PRACTICE-${requestToken.slice(0, 12).toUpperCase()}` as BrokerAccountId;
}

function verifierOf(requestToken: string): string {
  return hashOf(`practice ${requestToken}`).toString('hex');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const HISTORY_DAYS = 90;
