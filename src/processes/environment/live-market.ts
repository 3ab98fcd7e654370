// The settings of MARKET=live.
import type { FlatFileConfig } from '#adapters/market-data/massive/flat-files/flat-file-store.ts';
import type { MassiveFeedConfig } from '#adapters/market-data/massive/config.ts';
import {
  ALPACA_FEEDS,
  ALPACA_OPTION_FEEDS,
  type AlpacaFeed,
  type AlpacaOptions,
} from '#adapters/market-data/alpaca/config.ts';
import type { IsoDate } from '#units/instant.ts';
import { type FeedTable, readFeedTable } from './market-feeds.ts';
import { oneOf } from './setting.ts';

export type MassiveSettings = Pick<MassiveFeedConfig, 'url' | 'apiKey' | 'historyFrom' | 'requestsPerMinute'>;

export type LiveMarket = {
  readonly feeds: FeedTable;
  /** Null where it is no feed of the table. */
  readonly massive: MassiveSettings | null;
  /** Its files of bars, which the history is fetched from; null without their keys. */
  readonly massiveFiles: FlatFileConfig | null;
  readonly keyId: string;
  readonly secretKey: string;
  readonly feed: AlpacaFeed;
  /** Of shares, ours; each is the vendor's ticker of it too, unless `firstTickers` says otherwise. */
  readonly symbols: readonly string[];
  /** Pairs of a coin and dollars: BTC/USD. */
  readonly coins: readonly string[];
  readonly firstTickers: Readonly<Record<string, string>>;
  readonly options: AlpacaOptions;
  readonly dataUrl: string;
  readonly tradingUrl: string;
  /** REAL_MONEY: the accounts that are traded may hold real money. */
  readonly takesRealMoney: boolean;
};

/** Throws an Error that names the setting which is missing or wrong. */
export function readLiveMarket(text: (name: string) => string | null): LiveMarket {
  if (text('MARKET_FEED_URL') !== null)
    throw new Error('MARKET=live takes its prices from the feeds of MARKET_FEEDS: remove MARKET_FEED_URL');
  const feed = oneOf('ALPACA_FEED', text('ALPACA_FEED'), ALPACA_FEEDS, 'iex');
  const takesRealMoney = oneOf('REAL_MONEY', text('REAL_MONEY'), ['yes', 'no'] as const, 'no') === 'yes';
  const feeds = readFeedTable(text('MARKET_FEEDS'));
  if (feed === 'delayed') refuseDelayed(feeds, takesRealMoney);
  const shares = readSymbols(text('MARKET_SYMBOLS'));
  const isMassive = feeds.some(({ first, second }) => first === 'massive' || second === 'massive');
  return {
    feeds,
    massive: isMassive ? readMassive(text) : null,
    massiveFiles: readMassiveFiles(text),
    keyId: key('APCA_API_KEY_ID', text),
    secretKey: key('APCA_API_SECRET_KEY', text),
    feed,
    ...shares,
    options: readOptions(text, { ...shares, feeds, takesRealMoney }),
    dataUrl: address('ALPACA_DATA_URL', text) ?? 'https://data.alpaca.markets',
    tradingUrl:
      address('ALPACA_TRADING_URL', text) ?? `https://${takesRealMoney ? '' : 'paper-'}api.alpaca.markets`,
    takesRealMoney,
  };
}

/** What is late is never the price of the same minute at another feed, and no real money follows it. */
function refuseDelayed(feeds: FeedTable, takesRealMoney: boolean): void {
  if (takesRealMoney)
    throw new Error(
      'ALPACA_FEED is delayed, and REAL_MONEY is yes: real money is not traded on prices of a quarter of an hour ago. ' +
        'Set ALPACA_FEED=iex or sip',
    );
  if (feeds.some(({ kind, second }) => kind === 'equity' && second !== null))
    throw new Error(
      'ALPACA_FEED is delayed, and MARKET_FEEDS names a second feed, whose prices are of another time: ' +
        'set ALPACA_FEED=iex or sip, or leave one feed in MARKET_FEEDS',
    );
}

function readOptions(
  text: (name: string) => string | null,
  { symbols, feeds, takesRealMoney }: Pick<LiveMarket, 'symbols' | 'feeds' | 'takesRealMoney'>,
): AlpacaOptions {
  const feed = oneOf('ALPACA_OPTION_FEED', text('ALPACA_OPTION_FEED'), ALPACA_OPTION_FEEDS, 'indicative');
  const listed = text('MARKET_OPTIONS');
  if (listed === null) return { underlyings: [], feed };
  const underlyings = [...new Set(listed.split(',').map((entry) => entry.trim()))];
  const other = underlyings.find((entry) => !symbols.includes(entry));
  if (other !== undefined)
    throw new Error(
      `MARKET_OPTIONS names "${other}", which is no share of MARKET_SYMBOLS: add it there first`,
    );
  const marked = underlyings.find((entry) => entry.includes('.'));
  if (marked !== undefined)
    throw new Error(
      `MARKET_OPTIONS names ${marked}, and contracts on a share with a full stop have no symbol here`,
    );
  if (
    !feeds.some(({ kind, first, second }) => kind === 'equity' && (first === 'alpaca' || second === 'alpaca'))
  )
    throw new Error(
      'MARKET_OPTIONS needs prices of shares by Alpaca: add alpaca to MARKET_FEEDS, equity=massive,alpaca',
    );
  if (underlyings.length > OPTIONS_MAX)
    throw new Error(
      `MARKET_OPTIONS names ${underlyings.length} shares; the live market has options on ${OPTIONS_MAX} at most`,
    );
  if (takesRealMoney && feed !== 'opra')
    throw new Error(
      'MARKET_OPTIONS is set, REAL_MONEY is yes, and ALPACA_OPTION_FEED is indicative: its quotes are not those of the exchanges. ' +
        'Set ALPACA_OPTION_FEED=opra, or remove MARKET_OPTIONS',
    );
  return { underlyings, feed };
}

function key(name: string, text: (name: string) => string | null): string {
  const value = text(name);
  if (value !== null) return value;
  throw new Error(
    `${name} is not set, and live prices need it. It belongs to the keys of an Alpaca account; a free paper account has them too`,
  );
}

function readMassive(text: (name: string) => string | null): MassiveSettings {
  const apiKey = text('MASSIVE_API_KEY');
  if (apiKey === null)
    throw new Error(
      'MASSIVE_API_KEY is not set, and MARKET_FEEDS names massive. Set it, or take massive out of MARKET_FEEDS',
    );
  const historyFrom = text('MASSIVE_HISTORY_FROM') ?? HISTORY_FROM;
  if (!isDate(historyFrom))
    throw new Error(`MASSIVE_HISTORY_FROM must be a day such as ${HISTORY_FROM}, not "${historyFrom}"`);
  const requests = text('MASSIVE_REQUESTS_PER_MINUTE') ?? '300';
  if (!/^[1-9]\d{0,4}$/.test(requests))
    throw new Error(`MASSIVE_REQUESTS_PER_MINUTE must be a whole number from 1 to 99999, not "${requests}"`);
  const url = address('MASSIVE_URL', text) ?? 'https://api.massive.com';
  return { url, apiKey, historyFrom: historyFrom as IsoDate, requestsPerMinute: Number(requests) };
}

function readMassiveFiles(text: (name: string) => string | null): FlatFileConfig | null {
  const [keyId, secretKey] = [text('MASSIVE_S3_KEY_ID'), text('MASSIVE_S3_SECRET_KEY')];
  if (keyId === null && secretKey === null) return null;
  if (keyId === null || secretKey === null) {
    const [missing, other] = ['MASSIVE_S3_KEY_ID', 'MASSIVE_S3_SECRET_KEY'].toSorted((one) =>
      text(one) === null ? -1 : 1,
    );
    throw new Error(`${missing} is not set, and ${other} is: set both, or neither`);
  }
  return { url: address('MASSIVE_FILES_URL', text) ?? 'https://files.massive.com', keyId, secretKey };
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

function address(name: string, text: (name: string) => string | null): string | null {
  const value = text(name);
  if (value === null) return null;
  // The keys travel in headers: unencrypted only on this machine.
  if (/^https:\/\/[^\s]+$/.test(value) || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(value))
    return value.replace(/\/+$/, '');
  throw new Error(`${name} must be an https address, or one on this machine, not "${value}"`);
}

/**
 * 'META.2=META' lists a company under a symbol of its own: its ticker was another company's before, which keeps the symbol.
 * 'BTC/USD' is a coin, whose symbol is BTCUSD.
 */
function readSymbols(text: string | null): Pick<LiveMarket, 'symbols' | 'coins' | 'firstTickers'> {
  const entries = [...new Set((text ?? USUAL_SYMBOLS).split(',').map((entry) => entry.trim()))];
  const other = entries.find((entry) => entry.includes('/') && !entry.endsWith('/USD'));
  if (other !== undefined)
    throw new Error(
      `MARKET_SYMBOLS lists ${other}, and coins are traded for dollars only: BTC/USD, for example`,
    );
  const wrong = entries.find((entry) => !ENTRY.test(entry) && !COIN.test(entry));
  if (wrong !== undefined)
    throw new Error(
      `MARKET_SYMBOLS must list shares and coins such as SPY,BRK.B,BTC/USD; "${wrong}" is not one`,
    );
  if (entries.length > SYMBOLS_MAX)
    throw new Error(
      `MARKET_SYMBOLS lists ${entries.length} shares and coins; the live market has ${SYMBOLS_MAX} at most`,
    );
  const coins = entries.filter((entry) => COIN.test(entry));
  const named = entries.filter((entry) => !COIN.test(entry)).map((entry) => entry.split('='));
  const symbols = named.map(([symbol]) => symbol!);
  const all = [...symbols, ...coins.map((pair) => pair.replace('/', ''))];
  const twice = all.find((symbol, i) => all.indexOf(symbol) !== i);
  if (twice !== undefined) throw new Error(`MARKET_SYMBOLS lists ${twice} twice, under two tickers`);
  const given = named.flatMap(([symbol, ticker]) => (ticker === undefined ? [] : [[symbol!, ticker]]));
  return { symbols, coins, firstTickers: Object.fromEntries(given) as Record<string, string> };
}

/** As far back as the other feed. */
const HISTORY_FROM = '2016-01-01';
const ENTRY = /^[A-Z]{1,5}(\.[A-Z])?$|^[A-Z]{1,5}(\.[A-Z0-9])?=[A-Z]{1,5}(\.[A-Z])?$/;
const COIN = /^[A-Z0-9]{2,10}\/USD$/;
/** Broad funds, each traded every second: United States, abroad, small companies, bonds, gold. */
const USUAL_SYMBOLS = 'SPY,QQQ,IWM,DIA,EFA,EEM,TLT,IEF,LQD,GLD';
/** Each is asked for by itself at the start, within the free plan's requests per minute. */
const SYMBOLS_MAX = 50;
/** Every contract has its price asked for six times a minute, a hundred at once. */
const OPTIONS_MAX = 5;
