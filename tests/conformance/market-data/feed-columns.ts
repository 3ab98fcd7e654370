// The feeds that take the exam, each over real HTTP: the simulated market, a CSV file played again, and Alpaca's stand-in.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import { coinStreamUrlOf, streamUrlOf } from '#adapters/market-data/alpaca/config.ts';
import { alpacaFeed } from '#adapters/market-data/alpaca/alpaca-feed.ts';
import { combinedFeed } from '#adapters/market-data/combined-feed.ts';
import { parseBars } from '#adapters/market-data/csv/parse-bars.ts';
import { interactiveBrokersFeed } from '#adapters/market-data/interactive-brokers/interactive-brokers-feed.ts';
import { massiveFeed } from '#adapters/market-data/massive/massive-feed.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { openSandboxClock, type SandboxClock } from '#sandbox/market/clock.ts';
import { marketFeed } from '#sandbox/market/feed.ts';
import type { Market } from '#sandbox/market/open-market.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { withOptionMarket } from '#sandbox/market/option-market.ts';
import { tape } from '#sandbox/market/replay.ts';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import type { PriceStream } from '#sandbox/alpaca/streams/price-stream.ts';
import { mountBrokerage } from '#sandbox/interactive-brokers/brokerage.ts';
import type { BrokerageStream } from '#sandbox/interactive-brokers/stream/stream.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import { mountMassive } from '#sandbox/massive/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant, type IsoDate, parseInstant, utcDate } from '#units/instant.ts';
import { decide } from '../../broker/interactive-brokers-harness.ts';
import { CALLBACK, value } from '../broker/steps.ts';
import type { FeedColumn, FeedHarness } from './feed-case.ts';

const START = parseInstant('2026-11-23T16:00:00Z');
const SHARE = 'TLCO' as Symbol;
const OTHER = 'NVSM' as Symbol;
const COIN = 'BTCUSD' as Symbol;
const KEYS = { id: 'a key id', secret: 'a secret key' };

const ALPACA_HAS: FeedColumn['has'] = [
  'first',
  'actions',
  'keys',
  'plans',
  'real time',
  'calendar',
  'stream',
  'coins',
  'coin stream',
  'options',
  'parts',
  'coin parts',
];
const ALPACA_REFUSALS: FeedColumn['refusals'] = {
  setting: 'APCA_API_KEY_ID',
  keys: { status: 403, text: '{"message":"forbidden."}' },
  plan: {
    status: 403,
    text: '{"message":"subscription does not permit querying recent SIP data"}',
  },
};

export const FEEDS: readonly FeedColumn[] = [
  {
    name: 'Sandbox',
    mode: 'sandbox',
    has: ['first', 'actions', 'coins'],
    open: () => openHarness(simulated(), sandbox('sandbox')),
  },
  {
    name: 'CSV files',
    mode: 'replay',
    has: ['first'],
    open: () => openHarness(fromCsv(), sandbox('replay')),
  },
  {
    name: 'Alpaca',
    mode: 'live',
    has: ALPACA_HAS,
    refusals: ALPACA_REFUSALS,
    open: () => openHarness(withContracts(), alpaca),
  },
  {
    name: 'Massive',
    mode: 'live',
    has: ['first', 'actions', 'keys', 'plans', 'real time', 'parts'],
    refusals: {
      setting: 'MASSIVE_API_KEY',
      keys: { status: 401, text: '{"status":"ERROR","error":"Unknown API Key"}' },
      plan: {
        status: 403,
        text: '{"status":"NOT_AUTHORIZED","message":"You are not entitled to this data."}',
      },
    },
    open: () => openHarness(simulated(), massiveMount({ isNaming: true })),
  },
  {
    name: 'Interactive Brokers',
    mode: 'live',
    has: ['second', 'lent stream'],
    open: () => openHarness(simulated(), interactiveBrokersMount),
  },
  {
    name: 'Alpaca, checked by Massive',
    mode: 'live',
    has: ALPACA_HAS,
    refusals: ALPACA_REFUSALS,
    open: () => openHarness(withContracts(), checked),
  },
];

type Mounted = {
  readonly prices: PriceSource;
  readonly clock: SandboxClock;
  readonly vendorNow: () => Instant;
  readonly closedOn: ReadonlySet<IsoDate>;
  readonly earlyOn: ReadonlySet<IsoDate>;
  readonly untraded: (symbol: Symbol, minute: Instant) => boolean;
  readonly app: FastifyInstance;
  readonly folder: string;
};
type Mount = (mounted: Mounted) => Promise<{
  readonly connect: (address: string) => MarketDataFeed | Promise<MarketDataFeed>;
  readonly close?: () => void;
  readonly stream?: PriceStream;
  readonly lentStream?: BrokerageStream;
}>;

async function openHarness(
  prices: PriceSource,
  mount: Mount,
): Promise<FeedHarness & { close(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'feed-'));
  const clock = openSandboxClock({
    file: path.join(folder, 'clock.json'),
    start: START,
    daySeconds: 86_400,
    monotonicMs: () => 0,
  });
  const app = Fastify();
  const wire = plantAnswers(app);
  const closedOn = new Set<IsoDate>();
  const earlyOn = new Set<IsoDate>();
  const leftOut = new Set<Instant>();
  const untraded = (_: Symbol, minute: Instant) => leftOut.has(minute);
  let skewMs = 0;
  const vendorNow = () => instant(clock.now() + skewMs);
  const {
    connect,
    stream = null,
    lentStream = null,
    close,
  } = await mount({ prices, clock, vendorNow, closedOn, earlyOn, untraded, app, folder });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const feed = await connect(address);
  return {
    feed,
    stream,
    lentStream,
    prices,
    share: SHARE,
    other: OTHER,
    coin: COIN,
    now: () => clock.now(),
    async moveTo(at) {
      if (clock.advanceTo(at) !== 'advanced') throw new Error('a market’s time does not go back');
    },
    skewClock: (ms) => void (skewMs = ms),
    closeOn: (date) => void closedOn.add(date),
    closeEarlyOn: (date) => void earlyOn.add(date),
    leaveOut: (minute) => void leftOut.add(minute),
    ...wire,
    async close() {
      feed.stop?.();
      await app.close();
      close?.();
      clock.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whoever lends a session keeps it: what goes wrong here are prices. */
const OF_A_SESSION = /\/(oauth|iserver\/auth|iserver\/accounts|tickle)/;

function plantAnswers(app: FastifyInstance): Pick<FeedHarness, 'answerWith' | 'spoilRow' | 'quotesAsked'> {
  let fault: Parameters<FeedHarness['answerWith']>[0] = null;
  let spoilt: IsoDate | null = null;
  let quotesAsked = 0;
  app.addHook('onRequest', (request, reply, done) => {
    if (
      /^\/v2\/stocks\/snapshots|^\/v1beta3\/crypto\/us\/snapshots|\/iserver\/marketdata\/snapshot/.test(
        request.url,
      )
    )
      quotesAsked += 1;
    if (fault === null || OF_A_SESSION.test(request.url)) return done();
    if (fault === 'silence') return void request.raw.socket.destroy();
    return void reply.code(fault.status).type('application/json').send(fault.text);
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (spoilt === null || !/\/bars\?|\/aggs\/|\/marketdata\/history\?/.test(request.url))
      return done(null, payload);
    const body = JSON.parse(String(payload)) as {
      results?: Record<string, unknown>[];
      data?: Record<string, unknown>[];
      bars?: Record<string, Record<string, unknown>[]>;
    };
    const rows = body.results ?? body.data ?? Object.values(body.bars ?? {})[0] ?? [];
    const row = rows.find((one) => dateOf(one) === spoilt);
    if (row !== undefined) row['close' in row ? 'close' : 'c'] = 'a text';
    return done(null, JSON.stringify(body));
  });
  return {
    answerWith: (next) => void (fault = next),
    spoilRow: (date) => void (spoilt = date),
    quotesAsked: () => quotesAsked,
  };
}

/** Vendors write the day of a bar in their own ways. */
function dateOf({ date, t }: Record<string, unknown>): IsoDate {
  if (typeof date === 'string') return date as IsoDate;
  return utcDate(typeof t === 'number' ? instant(t) : parseInstant(String(t)));
}

function sandbox(mode: Market['mode']): Mount {
  return async ({ prices, clock, app }) => {
    const endsAt = mode === 'replay' ? parseInstant('2027-06-01T21:00:00Z') : null;
    await app.register(marketFeed({ mode, prices, clock, endsAt }));
    return { connect: (address) => sandboxFeed(address) };
  };
}

const alpaca: Mount = async ({ prices, clock, vendorNow, closedOn, earlyOn, untraded, app }) => {
  const now = () => clock.now();
  const stream = mountAlpacaMarketData(app, {
    prices,
    now: vendorNow,
    closedOn,
    earlyOn,
    untraded,
    keys: KEYS,
    pageRows: 100,
    plan: 'subscribed',
  });
  const connect = (address: string) =>
    alpacaFeed({
      dataUrl: address,
      tradingUrl: address,
      streamUrl: streamUrlOf({ dataUrl: address, feed: 'iex' }),
      coinStreamUrl: coinStreamUrlOf({ dataUrl: address }),
      coins: ['BTC/USD', 'ETH/USD'],
      options: { underlyings: [SHARE], feed: 'indicative' },
      keyId: KEYS.id,
      secretKey: KEYS.secret,
      feed: 'iex',
      symbols: prices.instruments.filter(({ kind }) => kind === 'equity').map(({ symbol }) => symbol),
      timeoutMs: 5_000,
      rateLimits: { requestsPerSecond: 10_000, spacingMs: {}, backOffMs: 1_000 },
      now,
    });
  return { connect, stream };
};

const massiveMount =
  ({ isNaming }: { isNaming: boolean }): Mount =>
  async ({ prices, clock, vendorNow, closedOn, untraded, app }) => {
    mountMassive(app, { prices, now: vendorNow, closedOn, untraded, apiKey: KEYS.secret, pageRows: 100 });
    const connect = (address: string) =>
      massiveFeed({
        url: address,
        apiKey: KEYS.secret,
        symbols: prices.instruments.filter(({ kind }) => kind === 'equity').map(({ symbol }) => symbol),
        historyFrom: '2016-01-01' as IsoDate,
        isNaming,
        requestsPerMinute: 600_000,
        timeoutMs: 5_000,
        now: () => clock.now(),
      });
    return { connect };
  };

/** A person signs in at the brokerage, and the feed borrows the prices of their session. */
const interactiveBrokersMount: Mount = async ({ prices, clock, vendorNow, app, folder }) => {
  const consumer = prepareConsumer(folder);
  const brokerage = mountBrokerage(app, {
    file: path.join(folder, 'brokerage.sqlite'),
    consumer,
    prices,
    now: vendorNow,
  });
  const connect = async (address: string) => {
    const files = consumerFiles(folder);
    const broker = interactiveBrokers({
      baseUrl: `${address}/v1/api`,
      authorizeUrl: `${address}/authorize`,
      consumerKey: consumer.key,
      realm: consumer.realm,
      dhPrimeHex: consumer.dhPrimeHex,
      signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
      encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
      findInstrument: (symbol) => prices.instruments.find((known) => known.symbol === symbol) ?? null,
      timeoutMs: 5_000,
      compete: false,
      rateLimits: NO_RATE_LIMITS,
    });
    const session = value(await openPersonSession(broker));
    // The vendor's ID of the share is known: that it lists none of that name is another answer than one of another form.
    value(await session.marketData!.dailyBars(SHARE, 1));
    return interactiveBrokersFeed({
      symbols: [SHARE, OTHER],
      borrow: async () => session.marketData ?? null,
      now: () => clock.now(),
    });
  };
  return { connect, close: () => brokerage.close(), lentStream: brokerage.stream };
};

async function openPersonSession(broker: ReturnType<typeof interactiveBrokers>) {
  const pending = value(await broker.beginAuthorization({ callbackUrl: CALLBACK }));
  const verifier = await decide(pending.authorizeUrl, 'approve', 'ada');
  const { requestToken } = pending;
  const granted = value(await broker.completeAuthorization({ requestToken, verifier: verifier ?? '' }));
  return broker.openSession(granted.credentials);
}

const checked: Mount = async (mounted) => {
  const [first, second] = [await alpaca(mounted), await massiveMount({ isNaming: false })(mounted)];
  const connect = async (address: string) => {
    const own = { name: 'Alpaca', feed: await first.connect(address) };
    return combinedFeed([
      { kind: 'equity', first: own, second: { name: 'Massive', feed: await second.connect(address) } },
      { kind: 'crypto', first: own, second: null },
      { kind: 'options', first: own, second: null },
    ]);
  };
  return { ...first, connect };
};

/** Its days are made once; splits and dividends are booked as each market goes on. */
const MODEL = simulatedMarket(DEFAULT_SEED);
const simulated = () => withShareActions(MODEL);

/** Its days are made before anybody waits for an answer. */
function withContracts(): PriceSource {
  const prices = withOptionMarket(simulated());
  prices.listedAt?.(START);
  return prices;
}

/** The bars of two shares, written as a file, read by the product's parser and played again. */
function fromCsv(): PriceSource {
  const prices = simulated();
  const asOf = parseInstant('2027-06-01T00:00:00Z');
  const range = { from: '2024-12-02' as IsoDate, to: '2027-05-28' as IsoDate, asOf };
  const tracks = [SHARE, OTHER].map((symbol) => {
    const parsed = parseBars({
      text: csvOf(prices.dailyBars(symbol, range)),
      calendar: 'us-equity',
      interval: '1d',
    });
    if (!parsed.ok) throw new Error(parsed.message);
    const instrument = prices.instruments.find((one) => one.symbol === symbol)!;
    return { instrument, bars: parsed.series[0]!.bars };
  });
  return tape(tracks);
}

function csvOf(bars: readonly Bar[]): string {
  const rows = bars.map(({ date, open, high, low, close, volume }) =>
    [date, open, high, low, close, volume].join(','),
  );
  return ['date,open,high,low,close,volume', ...rows].join('\n');
}
