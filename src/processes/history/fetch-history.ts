// Daily bars of the market data feed into the history, symbol by symbol and year by year: each year is stored before the
// next is asked for, so that a fetch that was stopped goes on after the last day that it has.
import { judgeSeries } from '#adapters/market-data/csv/judge-series.ts';
import { splitOffContradictions } from '#engine/market-data/contradicting-bars.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { MarketDataAnswer, MarketDataFailure, MarketDataFeed } from '#ports/market-data.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listHistoryFiles } from '#records/market/history-heads.ts';
import { type BarSource, findInstrument, saveInstruments } from '#records/market/instruments.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { showContradictions, showGaps, showWritten } from './show-history.ts';
import { HistoryStop, type HistoryTools, type WrittenBars, writeHistory } from './write-history.ts';

export type HistoryFetch = HistoryTools & {
  readonly feed: MarketDataFeed;
  readonly source: BarSource;
  readonly symbols: readonly Symbol[];
  /** The first day to ask for; null: after the last one that is stored, or FIRST_DATE. */
  readonly from: IsoDate | null;
  /** Days that are stored are asked for too, and what differs is a revision. */
  readonly again: boolean;
  readonly now: () => Instant;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly say: (line: string) => void;
};

/** Answers whether everything that was asked for is stored. Throws HistoryStop when the feed will answer nothing at all. */
export async function fetchHistory(asked: HistoryFetch): Promise<boolean> {
  const listed = valueOf('the instruments', await patiently(asked, () => asked.feed.instruments()));
  const clock = valueOf('the clock', await patiently(asked, () => asked.feed.clock()));
  const known = new Map(listed.map((instrument) => [instrument.symbol, instrument]));
  const symbols = asked.symbols.length === 0 ? [...known.keys()] : asked.symbols;
  let isWhole = true;
  for (const [i, symbol] of symbols.entries()) {
    const place = `[${i + 1}/${symbols.length}] `;
    const instrument = known.get(symbol);
    if (instrument === undefined) {
      asked.say(
        `${place}nobody knows ${symbol} at this feed: check how it is written, or add it to MARKET_SYMBOLS`,
      );
      isWhole = false;
      continue;
    }
    try {
      const lines = await fetchSymbol(asked, instrument, utcDate(clock.now));
      for (const [n, line] of lines.entries()) asked.say(n === 0 ? `${place}${line}` : `  ${line}`);
      isWhole &&= lines.length === 1;
    } catch (error) {
      if (!(error instanceof HistoryStop)) throw error;
      asked.say(`${place}${error.message}`);
      isWhole = false;
    }
  }
  return isWhole;
}

/** One line when all is well. */
async function fetchSymbol(asked: HistoryFetch, instrument: Instrument, today: IsoDate): Promise<string[]> {
  const { database, source } = asked;
  const { symbol, calendar } = instrument;
  const key = { symbol, interval: '1d', source } as const;
  if ((await findInstrument(database, symbol)) === null)
    await saveInstruments(database, [instrument], source);
  const stored = await storedBars(asked, symbol);
  const actions = await listCorporateActions(database, symbol);
  const next = stored.length === 0 || asked.again ? null : addDays(stored.at(-1)!.date, 1);
  let from = latest(asked.from, next) ?? FIRST_DATE;
  const fetched: Bar[] = [];
  const written = { added: 0, same: 0, revised: [] as IsoDate[] };
  const wrong: string[] = [];
  while (from <= today) {
    const yearEnd = `${from.slice(0, 4)}-12-31` as IsoDate;
    const to = yearEnd < today ? yearEnd : today;
    const range = { from, to };
    const answer = await patiently(asked, () => asked.feed.dailyBars(symbol, range.from, range.to));
    const { bars, malformed } = valueOf(`the bars of ${symbol} from ${from}`, answer);
    const before = [...stored.filter(({ date }) => date < from), ...fetched];
    const { accepted, contradicting } = splitOffContradictions(bars, { before, actions });
    addTo(written, await writeHistory(asked, key, { bars: accepted, knownAt: asked.now() }));
    fetched.push(...accepted);
    wrong.push(...showContradictions(symbol, contradicting));
    if (malformed !== null) {
      wrong.push(
        `${symbol}, after ${fetched.at(-1)?.date ?? from}: the feed sent no bar: ${malformed}. Fetch again later`,
      );
      break;
    }
    from = addDays(yearEnd, 1);
  }
  const { gaps } = judgeSeries(fetched, { calendar, interval: '1d' });
  return [
    showWritten({ symbol, interval: '1d', bars: fetched, written }),
    ...wrong,
    ...showGaps(symbol, gaps),
  ];
}

async function storedBars(
  { database, store, source }: HistoryFetch,
  symbol: Symbol,
): Promise<readonly Bar[]> {
  const files = await listHistoryFiles(database, { source, interval: '1d', symbols: [symbol] });
  const read = store.bars(files);
  if (!read.ok) throw new HistoryStop(historyFaultReason(read.fault));
  return read.value;
}

/** The feed keeps to the vendor's limits by itself; when it is told to slow down or is out of reach, it is asked later. */
async function patiently<Value>(
  { pause, say }: Pick<HistoryFetch, 'pause' | 'say'>,
  ask: () => Promise<MarketDataAnswer<Value>>,
): Promise<MarketDataAnswer<Value>> {
  for (const waitMs of WAITS_MS) {
    const answer = await ask();
    if (answer.ok || (answer.code !== 'rate_limited' && answer.code !== 'unreachable')) return answer;
    say(`waiting ${waitMs / 1_000} s: ${answer.message}`);
    await pause(waitMs);
  }
  return ask();
}

function valueOf<Value>(what: string, answer: MarketDataAnswer<Value>): Value {
  if (answer.ok) return answer.value;
  throw new HistoryStop(`${what}: ${answer.message}. ${WAYS_OUT[answer.code]}`);
}

function addTo(sum: { added: number; same: number; revised: IsoDate[] }, more: WrittenBars): void {
  sum.added += more.added;
  sum.same += more.same;
  sum.revised.push(...more.revised);
}

function latest(one: IsoDate | null, other: IsoDate | null): IsoDate | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

const AGAIN = 'Fetch again: what is stored stays, and it goes on after the last day.';
const WAYS_OUT: Readonly<Record<MarketDataFailure['code'], string>> = {
  unreachable: AGAIN,
  rate_limited: AGAIN,
  malformed: 'The vendor changed its answers or had a fault; fetch again later.',
  unknown_symbol: 'Check how the symbol is written.',
  refused: 'The vendor says why; correct that and fetch again.',
  unauthorized: 'Correct the keys and fetch again.',
  not_subscribed: 'Choose a feed of your plan and fetch again.',
  clock_off: "Correct this machine's clock and fetch again.",
};
/** Before this no feed of the product has bars. */
const FIRST_DATE = '1990-01-01' as IsoDate;
const WAITS_MS = [5_000, 20_000, 60_000];
