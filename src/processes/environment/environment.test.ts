import { expect, test } from 'vitest';
import { liveInstallation } from '#tests/support/live-installation.ts';
import { readEnvironment } from './environment.ts';

const STAND_IN = 'http://127.0.0.1:3200/v1/api';
const OTHERS = ['interactive-brokers', 'alpaca'] as const;
const KEYS = { MARKET: 'live', APCA_API_KEY_ID: 'an id', APCA_API_SECRET_KEY: 'a secret' };
const LIVE = { ...KEYS, ...liveInstallation('/etc/bellwether/key', 'smtp://mail.test') };
const choiceOf = (variables: Record<string, string>) => readEnvironment(variables).brokers[0]?.choice;

test('without settings the broker is our own sandbox', () => {
  expect(choiceOf({})).toBe('sandbox');
});

test('another broker is accepted as a stand-in on this machine that runs on the market’s clock', () => {
  for (const BROKER of OTHERS)
    for (const BROKER_BASE_URL of [STAND_IN, 'http://localhost:3200', 'http://[::1]:3200'])
      expect(choiceOf({ BROKER, BROKER_BASE_URL, BROKER_CLOCK: 'market' })).toBe(BROKER);
});

test('a broker in real time is refused on a market with a clock and prices of its own', () => {
  for (const BROKER of [...OTHERS, 'sandbox']) {
    expect(() => readEnvironment({ BROKER, BROKER_BASE_URL: STAND_IN, BROKER_CLOCK: 'real' })).toThrow(
      `BROKER=${BROKER} would trade real orders on simulated prices, because MARKET is sandbox. Set BROKER=sandbox; or, for a stand-in on this machine whose time is the market’s, set BROKER_CLOCK=market.`,
    );
  }
  for (const BROKER of OTHERS) {
    expect(() => readEnvironment({ BROKER, BROKER_BASE_URL: STAND_IN })).toThrow('simulated prices');
    expect(() =>
      readEnvironment({ BROKER, BROKER_BASE_URL: STAND_IN, MARKET: 'replay', REPLAY_FROM: '2010-01-04' }),
    ).toThrow('past prices, because MARKET is replay');
  }
});

test('no order of a simulated or replayed market may leave this machine, whatever the clock is said to be', () => {
  const elsewhere = [
    'https://api.ibkr.com/v1/api',
    'https://paper-api.alpaca.markets',
    'http://127.0.0.1.example.test',
    'http://localhost.example.test',
    'not an address',
    '',
  ];
  for (const BROKER of OTHERS)
    for (const BROKER_BASE_URL of elsewhere)
      expect(() => readEnvironment({ BROKER, BROKER_BASE_URL, BROKER_CLOCK: 'market' })).toThrow(
        `BROKER=${BROKER} would trade on simulated prices, because MARKET is sandbox, and only a stand-in may. Set BROKER_BASE_URL to one on this machine`,
      );
});

test('BROKER=sandbox reaches another machine only where the sandbox serves the market too', () => {
  const sandbox = 'http://sandbox.internal:3001';
  expect(choiceOf({ BROKER_BASE_URL: `${sandbox}/v1/api`, MARKET_FEED_URL: sandbox })).toBe('sandbox');
  for (const MARKET_FEED_URL of ['', 'http://127.0.0.1:3001'])
    expect(() =>
      readEnvironment({ BROKER_BASE_URL: 'https://api.ibkr.com/v1/api', MARKET_FEED_URL }),
    ).toThrow('BROKER=sandbox would trade on simulated prices');
});

test('the live market trades practice money only, in real time, and never at the sandbox brokerage', () => {
  const withBroker = (BROKER: string, BROKER_BASE_URL: string, more = {}) =>
    readEnvironment({ ...LIVE, BROKER, BROKER_BASE_URL, ...more });
  expect(() => readEnvironment({ ...LIVE, BROKER: 'sandbox' })).toThrow(
    'BROKER=sandbox has practice accounts on simulated prices, and MARKET=live has real ones. Set BROKER=alpaca',
  );
  for (const [BROKER, url] of [
    ['alpaca', 'https://api.alpaca.markets'],
    ['alpaca', 'https://paper-api.alpaca.markets.example.test'],
  ] as const)
    expect(() => withBroker(BROKER, url)).toThrow(
      `BROKER_BASE_URL is ${url}, where real money may be traded, and MARKET=live trades practice money only.`,
    );
  const REAL = { REAL_MONEY: 'yes' };
  expect(withBroker('alpaca', 'https://api.alpaca.markets', REAL).live?.takesRealMoney).toBe(true);
  expect(() => withBroker('alpaca', 'https://api.alpaca.markets.example.test', REAL)).toThrow('real money');
  expect(() => readEnvironment(REAL)).toThrow(
    'REAL_MONEY is for MARKET=live, and MARKET is sandbox: remove it',
  );
  expect(() => readEnvironment({ ...LIVE, REAL_MONEY: 'maybe' })).toThrow('REAL_MONEY must be');
  expect(() => withBroker('alpaca', STAND_IN, { BROKER_CLOCK: 'market' })).toThrow(
    'BROKER_CLOCK=market is for a stand-in in simulated time',
  );
  for (const url of ['https://paper-api.alpaca.markets', STAND_IN])
    expect(withBroker('alpaca', url).brokers).toMatchObject([{ choice: 'alpaca', clock: 'real' }]);
});

test('on the live market Interactive Brokers is reached at its own addresses, and never as an adviser', () => {
  const withBroker = (IBKR_BASE_URL: string, more = {}) =>
    readEnvironment({ ...LIVE, BROKER: 'interactive-brokers', IBKR_BASE_URL, ...more });
  for (const url of ['https://api.ibkr.com/v1/api', 'https://1.api.ibkr.com/v1/api', STAND_IN])
    expect(withBroker(url).brokers).toMatchObject([
      { choice: 'interactive-brokers', baseUrl: url, clock: 'real' },
    ]);
  for (const url of [
    'http://api.ibkr.com/v1/api',
    'https://api.ibkr.com.example.test',
    'https://notibkr.com',
  ])
    expect(() => withBroker(url)).toThrow(
      `BROKER_BASE_URL is ${url}, which is no address of Interactive Brokers.`,
    );
  expect(() => withBroker('https://api.ibkr.com/v1/api', { IBKR_TENANCY: 'adviser' })).toThrow(
    'IBKR_TENANCY=adviser trades accounts of which nobody says whether they hold real money',
  );
  expect(() => withBroker(STAND_IN, { BROKER_CLOCK: 'market' })).toThrow(
    'BROKER_CLOCK=market is for a stand-in',
  );
});

const TWO = { BROKER: 'interactive-brokers,alpaca', BROKER_CLOCK: 'market' };
const OTHER_STAND_IN = 'http://127.0.0.1:3300';

test('BROKER names two, each with settings of its own, in its order', () => {
  const both = { ...TWO, IBKR_BASE_URL: STAND_IN, ALPACA_BASE_URL: OTHER_STAND_IN };
  expect(readEnvironment(both).brokers).toMatchObject([
    { choice: 'interactive-brokers', vendor: 'interactive-brokers', prefix: 'IBKR', baseUrl: STAND_IN },
    { choice: 'alpaca', vendor: 'alpaca', prefix: 'ALPACA', baseUrl: OTHER_STAND_IN },
  ]);
  const turned = readEnvironment({ ...both, BROKER: 'alpaca, interactive-brokers' }).brokers;
  expect(turned.map(({ choice, baseUrl }) => [choice, baseUrl])).toEqual([
    ['alpaca', OTHER_STAND_IN],
    ['interactive-brokers', STAND_IN],
  ]);
});

test('BROKER_… is of the first broker that is named, and of no other', () => {
  const both = { ...TWO, BROKER_BASE_URL: STAND_IN, BROKER_TOKEN_URL: 'http://one.test' };
  expect(() => readEnvironment(both)).toThrow('Set ALPACA_BASE_URL to one on this machine');
  const [first, second] = readEnvironment({ ...both, ALPACA_BASE_URL: OTHER_STAND_IN }).brokers;
  expect(first).toMatchObject({ baseUrl: STAND_IN, tokenUrl: 'http://one.test' });
  expect(second).toMatchObject({ baseUrl: OTHER_STAND_IN, tokenUrl: null });
});

test('the sandbox brokerage and Alpaca’s stand-in trade together', () => {
  const { brokers } = readEnvironment({
    BROKER: 'sandbox,alpaca',
    BROKER_CLOCK: 'market',
    ALPACA_BASE_URL: OTHER_STAND_IN,
    IBKR_TENANCY: 'adviser',
  });
  expect(brokers).toMatchObject([
    { choice: 'sandbox', vendor: 'interactive-brokers', baseUrl: null, tenancy: 'adviser' },
    { choice: 'alpaca', baseUrl: OTHER_STAND_IN, tenancy: 'person' },
  ]);
});

test('settings of brokers that contradict each other are refused by name', () => {
  const alone = { BROKER: 'interactive-brokers', BROKER_CLOCK: 'market', BROKER_BASE_URL: STAND_IN };
  expect(readEnvironment({ ...alone, IBKR_BASE_URL: STAND_IN }).brokers[0]?.baseUrl).toBe(STAND_IN);
  for (const [variables, said] of [
    [
      { ...alone, IBKR_BASE_URL: OTHER_STAND_IN },
      'IBKR_BASE_URL and BROKER_BASE_URL are both of interactive-brokers, and differ',
    ],
    [
      { ...alone, ALPACA_BASE_URL: OTHER_STAND_IN },
      'ALPACA_BASE_URL is set, and BROKER is interactive-brokers: remove it, or set BROKER=interactive-brokers,alpaca.',
    ],
    [{ ...alone, BROKER: 'sandbox,interactive-brokers' }, 'BROKER names sandbox and interactive-brokers'],
    [
      { ...alone, BROKER: 'interactive-brokers,interactive-brokers' },
      'BROKER names interactive-brokers and interactive-brokers',
    ],
    [
      { ...alone, BROKER: 'interactive-brokers,' },
      'BROKER must be one of sandbox, interactive-brokers, alpaca, not ""',
    ],
    [
      { ...TWO, IBKR_BASE_URL: STAND_IN, ALPACA_BASE_URL: 'https://paper-api.alpaca.markets' },
      'Set ALPACA_BASE_URL to one on this machine',
    ],
    [{ ...LIVE, BROKER: 'alpaca,sandbox' }, 'BROKER=sandbox has practice accounts on simulated prices'],
    [
      {
        ...TWO,
        IBKR_BASE_URL: STAND_IN,
        ALPACA_BASE_URL: OTHER_STAND_IN,
        ALPACA_REQUESTS_PER_SECOND: 'many',
      },
      'ALPACA_REQUESTS_PER_SECOND must be a whole number',
    ],
  ] as const)
    expect(() => readEnvironment(variables)).toThrow(said);
});

test('live prices are traded at both, Alpaca with permission or with the keys of one account', () => {
  const both = { ...LIVE, BROKER: 'alpaca,interactive-brokers', IBKR_BASE_URL: STAND_IN };
  expect(readEnvironment(both)).toMatchObject({
    host: '127.0.0.1',
    brokers: [
      { choice: 'alpaca', baseUrl: 'https://paper-api.alpaca.markets', alpaca: { keys: { keyId: 'an id' } } },
      { choice: 'interactive-brokers', baseUrl: STAND_IN },
    ],
  });
});

test('the keys of one account are enough: live prices, that account, this machine', () => {
  const { MARKET: _, ...keys } = KEYS;
  const own = {
    market: 'live',
    host: '127.0.0.1',
    brokers: [
      {
        choice: 'alpaca',
        baseUrl: 'https://paper-api.alpaca.markets',
        alpaca: { keys: { keyId: 'an id', secretKey: 'a secret' } },
      },
    ],
  };
  expect(readEnvironment(keys)).toMatchObject(own);
  expect(readEnvironment(KEYS)).toMatchObject(own);
  expect(() => readEnvironment({ ...keys, HOST: '0.0.0.0' })).toThrow('PROVIDER_COMPANY is not set');
  for (const name of ['APCA_API_KEY_ID', 'APCA_API_SECRET_KEY'] as const)
    expect(() => readEnvironment({ ...KEYS, [name]: '' })).toThrow(`${name} is not set`);
  expect(() => readEnvironment({ APCA_API_KEY_ID: 'an id' })).toThrow('APCA_API_SECRET_KEY is not set');
  expect(readEnvironment({ ...keys, REAL_MONEY: 'yes' }).brokers[0]?.baseUrl).toBe(
    'https://api.alpaca.markets',
  );
  expect(() => readEnvironment({ ...keys, ALPACA_TRADING_URL: 'https://api.alpaca.markets' })).toThrow(
    'ALPACA_TRADING_URL is https://api.alpaca.markets, where real money may be traded',
  );
  const ofClients = readEnvironment({ ...LIVE, BROKER: 'alpaca', ALPACA_CLIENT_ID: 'ours' });
  expect(ofClients.brokers[0]?.alpaca.keys).toBeNull();
});

test('the live market names each setting that is missing or wrong', () => {
  const BROKER = { BROKER: 'alpaca', BROKER_BASE_URL: 'https://paper-api.alpaca.markets' };
  const read = (variables: Record<string, string>) => readEnvironment({ ...LIVE, ...BROKER, ...variables });
  expect(read({}).live).toMatchObject({
    keyId: 'an id',
    secretKey: 'a secret',
    feed: 'iex',
    dataUrl: 'https://data.alpaca.markets',
    tradingUrl: 'https://paper-api.alpaca.markets',
  });
  expect(read({ MARKET_SYMBOLS: 'SPY, BRK.B,SPY', ALPACA_FEED: 'sip' }).live).toMatchObject({
    symbols: ['SPY', 'BRK.B'],
    feed: 'sip',
  });
  expect(read({ MARKET_SYMBOLS: 'SPY,META.2=META' }).live).toMatchObject({
    symbols: ['SPY', 'META.2'],
    firstTickers: { 'META.2': 'META' },
  });
  expect(read({ MARKET_SYMBOLS: 'SPY,BTC/USD,ETH/USD' }).live).toMatchObject({
    symbols: ['SPY'],
    coins: ['BTC/USD', 'ETH/USD'],
  });
  expect(read({}).live?.coins).toEqual([]);
  expect(read({}).live?.options).toEqual({ underlyings: [], feed: 'indicative' });
  const contracts = { MARKET_OPTIONS: 'SPY, QQQ', ALPACA_OPTION_FEED: 'opra' };
  expect(read(contracts).live?.options).toEqual({ underlyings: ['SPY', 'QQQ'], feed: 'opra' });
  expect(read({ ALPACA_FEED: 'delayed' }).live?.feed).toBe('delayed');
  expect(() => read({ MARKET_SYMBOLS: 'SPY,ETH/BTC' })).toThrow('coins are traded for dollars only');
  for (const [name, value] of [
    ['APCA_API_KEY_ID', ''],
    ['APCA_API_SECRET_KEY', ''],
    ['ALPACA_FEED', 'delayed_sip'],
    ['ALPACA_OPTION_FEED', 'sip'],
    ['MARKET_OPTIONS', 'QQQQ'],
    ['MARKET_OPTIONS', 'SPY,QQQ,IWM,DIA,EFA,EEM'],
    ['MARKET_SYMBOLS', 'SPY,ETH/BTC'],
    ['MARKET_SYMBOLS', 'SPY,BTCUSD'],
    ['MARKET_SYMBOLS', 'SPY,btc/usd'],
    ['MARKET_SYMBOLS', 'ABUSD,AB/USD'],
    ['MARKET_SYMBOLS', 'SPY,META.2'],
    ['MARKET_SYMBOLS', 'SPY,SPY=QQQ'],
    [
      'MARKET_SYMBOLS',
      Array.from({ length: 51 }, (_, i) => `A${String.fromCharCode(65 + (i % 26), 65 + i / 26)}`).join(),
    ],
    ['MARKET_FEED_URL', 'http://127.0.0.1:3001'],
    ['ALPACA_DATA_URL', 'http://data.example.test'],
  ] as const)
    expect(() => read({ [name]: value })).toThrow(name);
});

test('what is late or indicative is not traded with real money, and what is late is not compared', () => {
  const own = { ...LIVE, APCA_API_KEY_ID: 'an id', APCA_API_SECRET_KEY: 'a secret' };
  const read = (variables: Record<string, string>) => () => readEnvironment({ ...own, ...variables });
  expect(read({ ALPACA_FEED: 'delayed', REAL_MONEY: 'yes' })).toThrow(
    'ALPACA_FEED is delayed, and REAL_MONEY is yes',
  );
  const both = { MARKET_FEEDS: 'equity=alpaca,massive', MASSIVE_API_KEY: 'a key' };
  expect(read({ ...both, ALPACA_FEED: 'delayed' })).toThrow(
    'ALPACA_FEED is delayed, and MARKET_FEEDS names a second feed',
  );
  expect(read({ MARKET_OPTIONS: 'SPY', REAL_MONEY: 'yes' })).toThrow('ALPACA_OPTION_FEED is indicative');
  expect(read({ MARKET_OPTIONS: 'SPY', MARKET_FEEDS: 'equity=massive', MASSIVE_API_KEY: 'a key' })).toThrow(
    'MARKET_OPTIONS needs prices of shares by Alpaca',
  );
  expect(read({ MARKET_SYMBOLS: 'SPY,BRK.B', MARKET_OPTIONS: 'BRK.B' })).toThrow(
    'MARKET_OPTIONS names BRK.B',
  );
});

test('an adviser is of Interactive Brokers', () => {
  expect(() => readEnvironment({ BROKER: 'alpaca', IBKR_TENANCY: 'adviser' })).toThrow(
    'IBKR_TENANCY=adviser belongs to Interactive Brokers: remove it, or set BROKER=interactive-brokers.',
  );
});

test('an unknown broker is refused with the names of the known ones', () => {
  expect(() => readEnvironment({ BROKER: 'oanda' })).toThrow(
    'BROKER must be one of sandbox, interactive-brokers, alpaca, not "oanda"',
  );
});

test('alarms are signed: a webhook without a secret is refused', () => {
  const OPERATOR_WEBHOOK = 'https://alarms.example.test/bellwether';
  const OPERATOR_WEBHOOK_SECRET = 'sixteen characters';
  expect(readEnvironment({}).operator).toEqual({ email: null, webhook: null });
  expect(readEnvironment({ OPERATOR_WEBHOOK, OPERATOR_WEBHOOK_SECRET }).operator.webhook).toEqual({
    url: OPERATOR_WEBHOOK,
    secret: OPERATOR_WEBHOOK_SECRET,
  });
  for (const secret of [undefined, 'short'])
    expect(() => readEnvironment({ OPERATOR_WEBHOOK, OPERATOR_WEBHOOK_SECRET: secret })).toThrow(
      'OPERATOR_WEBHOOK needs OPERATOR_WEBHOOK_SECRET',
    );
  expect(() => readEnvironment({ OPERATOR_WEBHOOK: 'alarms', OPERATOR_WEBHOOK_SECRET })).toThrow(
    'OPERATOR_WEBHOOK must be an address',
  );
});
