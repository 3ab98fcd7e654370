// Prices by snapshot, daily history and contract search. A contract's first snapshot in a session is empty, because it
// only starts the subscription at the vendor, so we request it again.
import type {
  BrokerAnswer,
  BrokerBar,
  BrokerBars,
  BrokerInstrument,
  BrokerMarketData,
  BrokerQuote,
} from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import {
  asNumber,
  asText,
  type Fields,
  fieldsOf,
  numberOf,
  reading,
  rowsOf,
  textOf,
  Unreadable,
} from '../../answer-fields.ts';
import { meaningOf } from '../../vendor-texts.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';
import { wait } from '../connection.ts';
import type { ContractBook } from './contracts.ts';
import { parseQuote, PRICE_MAX, QUOTE_FIELDS } from './parse-quote.ts';
import type { Stream } from '../stream/stream.ts';

export function createMarketData(
  brokerage: Brokerage,
  contracts: ContractBook,
  {
    sleep = wait,
    stream,
  }: { readonly sleep?: (ms: number) => Promise<void>; readonly stream: Stream | null },
): BrokerMarketData {
  const resolve = (symbol: Symbol) => contracts.resolve(symbol, brokerage.query, 'reconcile');

  /** Instruments that the vendor does not list are left out. */
  const resolveAll = async (symbols: readonly Symbol[]): Promise<BrokerAnswer<Map<number, Symbol>>> => {
    const byConid = new Map<number, Symbol>();
    for (const symbol of symbols) {
      const contract = await resolve(symbol);
      if (contract.outcome === 'ok') byConid.set(contract.value.conid, symbol);
      else if (contract.code !== 'refused') return contract;
    }
    return { outcome: 'ok', value: byConid };
  };

  const watchOn =
    ({ watch }: Stream): NonNullable<BrokerMarketData['watch']> =>
    async (symbols, hear) => {
      const resolved = await resolveAll(symbols);
      return resolved.outcome === 'failed' ? resolved : { outcome: 'ok', value: watch(resolved.value, hear) };
    };

  return {
    ...(stream && { watch: watchOn(stream) }),
    async quotes(symbols) {
      const resolved = await resolveAll(symbols);
      if (resolved.outcome === 'failed') return resolved;
      const byConid = resolved.value;
      if (byConid.size === 0) return { outcome: 'ok', value: [] };
      const conids = [...byConid.keys()];
      for (let look = 1; ; look++) {
        const rows = await snapshot(brokerage, conids);
        if (rows.outcome === 'failed') return rows;
        const isWhole = conids.every((conid) => rows.value.some((row) => isReported(row, conid)));
        if (isWhole || look === LOOKS_MAX) return reading(() => quotesOf(rows.value, byConid));
        await sleep(LOOK_AGAIN_MS);
      }
    },

    async dailyBars(symbol, days): Promise<BrokerAnswer<BrokerBars>> {
      const contract = await resolve(symbol);
      if (contract.outcome === 'failed') return contract;
      const answer = await brokerage.query({
        method: 'GET',
        path: '/iserver/marketdata/history',
        query: { conid: String(contract.value.conid), period: `${days}d`, bar: '1d', outsideRth: 'false' },
        priority: 'reconcile',
      });
      return answer.outcome === 'failed' ? answer : reading(() => parseBars(answer.value));
    },

    search: (text) => search(brokerage, text),
  };
}

async function snapshot(
  brokerage: Brokerage,
  conids: readonly number[],
): Promise<BrokerAnswer<readonly Fields[]>> {
  const answer = await brokerage.query({
    method: 'GET',
    path: '/iserver/marketdata/snapshot',
    query: { conids: conids.join(','), fields: QUOTE_FIELDS.join(',') },
    priority: 'reconcile',
  });
  return answer.outcome === 'failed' ? answer : reading(() => rowsOf(answer.value, 'the snapshot'));
}

function isReported(row: Fields, conid: number): boolean {
  return asNumber(row.conid) === conid && (row['31'] !== undefined || row['84'] !== undefined);
}

function quotesOf(rows: readonly Fields[], byConid: ReadonlyMap<number, Symbol>): readonly BrokerQuote[] {
  return rows.flatMap((row) => {
    const symbol = byConid.get(numberOf(row, 'conid'));
    const quote = symbol === undefined ? null : parseQuote(row, symbol);
    return quote ? [quote] : [];
  });
}

export function parseBars(body: unknown): BrokerBars {
  const bars: BrokerBar[] = [];
  for (const row of rowsOf(fieldsOf(body, 'the history').data, 'the history')) {
    try {
      bars.push(parseBar(row));
    } catch (error) {
      if (error instanceof Unreadable) return { bars, malformed: error.message };
      throw error;
    }
  }
  return { bars, malformed: null };
}

function parseBar(row: Fields): BrokerBar {
  const bar = {
    at: instant(numberOf(row, 't')),
    open: numberOf(row, 'o'),
    high: numberOf(row, 'h'),
    low: numberOf(row, 'l'),
    close: numberOf(row, 'c'),
    volume: asNumber(row.v) ?? 0,
  };
  if (!(bar.low > 0 && bar.low <= Math.min(bar.open, bar.close)))
    throw new Unreadable('a bar with a low that is none');
  if (!(bar.high >= Math.max(bar.open, bar.close) && bar.high < PRICE_MAX))
    throw new Unreadable('a bar with a high that is none');
  return bar;
}

async function search(
  brokerage: Brokerage,
  text: string,
): Promise<BrokerAnswer<readonly BrokerInstrument[]>> {
  const answer = await brokerage.query({
    method: 'GET',
    path: '/iserver/secdef/search',
    query: { symbol: text.toUpperCase() },
    priority: 'reconcile',
  });
  if (answer.outcome === 'failed')
    return meaningOf('interactive-brokers', answer.reason) === 'nothing_found'
      ? { outcome: 'ok', value: [] }
      : answer;
  return reading(() => parseSearch(answer.value));
}

export function parseSearch(body: unknown): readonly BrokerInstrument[] {
  return rowsOf(body, 'the search')
    .map((row) => ({
      brokerInstrumentId: textOf(row, 'conid'),
      symbol: asText(row.symbol) ?? '',
      name: asText(row.companyName) ?? asText(row.companyHeader) ?? '',
    }))
    .filter(({ brokerInstrumentId }) => brokerInstrumentId !== BOND_ISSUERS);
}

/** A row that represents all bonds of an issuer and is not a contract. */
const BOND_ISSUERS = '2147483647';
const LOOKS_MAX = 4;
const LOOK_AGAIN_MS = 700;
