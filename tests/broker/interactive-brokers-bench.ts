// The Interactive Brokers adapter and the sandbox brokerage, joined by real HTTP, with a market that stands still
// until it is moved.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { UNHURRIED_PACING } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { ExamBench, OrderPrice } from '#adapters/broker/exam.ts';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import { mountBrokerage } from '#sandbox/interactive-brokers/brokerage.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/consumer.ts';
import type { FaultPlan } from '#sandbox/interactive-brokers/faults/fault-plan.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';

/** A Saturday, 12:00 UTC: no stock exchange is open. */
export const SATURDAY = parseInstant('2026-01-10T12:00:00Z');

export type Bench = ExamBench & {
  readonly baseUrl: string;
  readonly faults: FaultPlan;
  readonly folder: string;
  moveTo(at: Instant): void;
  /** Another program takes the person's trading session. */
  holdElsewhere(userName: string): void;
  anOrder(order: {
    id: string;
    symbol: string;
    side: Side;
    quantity: Quantity;
    limitPrice: number;
  }): ApprovedOrder;
  close(): Promise<void>;
};

export async function openBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-'));
  const consumer = prepareConsumer(folder);
  const faults: { lose: boolean; garble: { text: string; status: number } | null } = {
    lose: false,
    garble: null,
  };
  let at = SATURDAY;
  let people = 0;
  const app = Fastify();
  const brokerage = mountBrokerage(app, {
    file: join(folder, 'brokerage.sqlite'),
    consumer,
    prices: standingPrices(),
    now: () => at,
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!/\/iserver\/account\/([^/]+\/)?(orders|trades)/.test(request.url)) return done(null, payload);
    if (faults.garble) {
      const { text, status } = faults.garble;
      faults.garble = null;
      reply.code(status).removeHeader('content-length');
      return done(null, text);
    }
    if (faults.lose && request.method === 'POST') {
      faults.lose = false;
      request.raw.socket.destroy();
    }
    return done(null, payload);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const files = consumerFiles(folder);
  const broker = interactiveBrokers({
    baseUrl: `${address}/v1/api`,
    authorizeUrl: `${address}/authorize`,
    consumerKey: consumer.key,
    realm: consumer.realm,
    dhPrimeHex: consumer.dhPrimeHex,
    signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
    encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
    findInstrument: (symbol) => INSTRUMENTS.find((known) => known.symbol === symbol) ?? null,
    timeoutMs: 5_000,
    compete: false,
    pacing: UNHURRIED_PACING,
  });

  const anOrder: Bench['anOrder'] = ({ id, symbol, ...rest }) =>
    ({
      ...rest,
      symbol: symbol as Symbol,
      referencePrice: rest.limitPrice,
      purpose: 'rebalance',
      cause: 'exam',
      decidedAt: at,
      deploymentId: 'exam' as DeploymentId,
      clientOrderId: id as ClientOrderId,
      attempt: 1,
    }) as unknown as ApprovedOrder;

  return {
    broker,
    baseUrl: address,
    faults: brokerage.faults,
    folder,
    anOrder,
    now: () => at,
    moveTo(to) {
      at = to;
    },
    holdElsewhere: (userName) => brokerage.sessions.holdElsewhere(userName),
    order: ({ id, side, price }) =>
      anOrder({
        id,
        side,
        symbol: 'SPY',
        quantity: toQuantity(price === 'beyond_means' ? 1_000_000 : 10),
        limitPrice: LIMIT[side][price],
      }),
    decide: (authorizeUrl, decision) => decide(authorizeUrl, decision, `person-${++people}`),
    passOpening() {
      at = instant(nextSession('us-equity', at).opensAt + MINUTE_MS);
    },
    passClose() {
      at = instant((sessionAt('us-equity', at)?.closesAt ?? at) + MINUTE_MS);
    },
    loseNextAnswer() {
      faults.lose = true;
    },
    garbleNextAnswer(text, status) {
      faults.garble = { text, status };
    },
    async close() {
      await app.close();
      brokerage.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Goes through the sign-in pages as a browser would. */
export async function decide(
  authorizeUrl: string,
  decision: 'approve' | 'deny',
  userName: string,
): Promise<string | null> {
  const { origin, searchParams } = new URL(authorizeUrl);
  const page = await (await fetch(authorizeUrl)).text();
  if (!page.includes('Practice money')) throw new Error(page);
  const ask = Object.fromEntries(searchParams);
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...ask, ...fields }),
      headers: { cookie },
      redirect: 'manual',
    });
  const opened = await post('/authorize/open-account', { user_name: userName, password: 'practice-8' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  if (opened.status !== 200) throw new Error(await opened.text());
  const decided = await post('/authorize/decide', { decision }, cookie);
  const back = new URL(decided.headers.get('location') ?? '');
  if (back.searchParams.get('oauth_token') !== ask.oauth_token || back.searchParams.get('state') !== 's')
    throw new Error(`came back to ${back.href}`);
  return back.searchParams.get('oauth_verifier');
}

const LIMIT: Record<Side, Record<OrderPrice, number>> = {
  buy: { marketable: 103, far: 50, beyond_means: 103 },
  sell: { marketable: 97, far: 150, beyond_means: 97 },
};

/** Each trading day opens a dollar above the last, and moves half a dollar up within the day. */
export function standingPrices(): PriceSource {
  const monday = parseInstant('2026-01-12T00:00:00Z');
  return {
    instruments: INSTRUMENTS,
    dailyBars: () => [],
    quote(symbol, at) {
      const instrument = INSTRUMENTS.find((known) => known.symbol === symbol);
      if (!instrument) return null;
      const current = sessionAt(instrument.calendar, at);
      const day = Math.max(0, Math.floor((at - monday) / 86_400_000));
      const base = BASE_PRICE[symbol] ?? 0;
      const last = base * (1 + day / 100 + (current && at > current.opensAt ? 0.005 : 0));
      return { symbol, at, last, bid: last * 0.9999, ask: last * 1.0001, open: current !== null };
    },
  };
}

const BASE_PRICE: Record<string, number> = { SPY: 100, EURUSD: 1.1, USDJPY: 150, BTCUSD: 40_000 };

function instrumentOf(symbol: string, fields: Partial<Instrument>): Instrument {
  return {
    symbol: symbol as Symbol,
    kind: 'equity',
    name: `The ${symbol}`,
    currency: 'USD',
    unitCurrency: null,
    multiplier: 1,
    quantityStep: toQuantity(1),
    priceDecimals: 2,
    calendar: 'us-equity',
    settlement: 'cash',
    expiry: null,
    ...fields,
  };
}

const FOREX = { kind: 'forex', calendar: 'forex', settlement: 'margin' } as const;

export const INSTRUMENTS: readonly Instrument[] = [
  instrumentOf('SPY', {}),
  instrumentOf('EURUSD', { ...FOREX, unitCurrency: 'EUR', priceDecimals: 5 }),
  instrumentOf('USDJPY', { ...FOREX, unitCurrency: 'USD', currency: 'JPY', priceDecimals: 3 }),
  instrumentOf('BTCUSD', {
    kind: 'crypto',
    calendar: 'crypto',
    unitCurrency: 'BTC',
    quantityStep: toQuantity(0.0001),
  }),
];
