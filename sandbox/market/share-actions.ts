// Splits and dividends of listed shares. The models' prices contain neither; here they become quoted prices: divided by
// every split so far, and lower by every dividend paid, so that a holder earns the return of the model.
import { nextTradingDay, previousSession, session } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, instantOfDate, utcDate } from '#units/instant.ts';
import { roundPrice } from './price-models/day-path.ts';
import type { PriceSource, ShareAction } from './price-source.ts';
import { quoteAround } from './spread.ts';

/** Split dates: some in the history, some ahead of the day that a fresh market starts on. */
const SPLITS: Readonly<Record<string, readonly (readonly [exDate: string, ratio: number])[]>> = {
  NVSM: [
    ['2017-06-12', 2],
    ['2021-08-02', 2],
    ['2026-03-16', 2],
  ],
  QLBR: [
    ['2019-05-06', 2],
    ['2026-02-09', 2],
  ],
};

/** Yearly yield, paid in quarters. */
const YIELDS: Readonly<Record<string, number>> = {
  TLCO: 0.044,
  LKSD: 0.036,
  GRNF: 0.028,
  NGTI: 0.024,
  ALVT: 0.012,
};

/** Ex-dates of quarterly dividends: the first trading day on or after these. */
const QUARTER_DAYS = ['-02-10', '-05-10', '-08-10', '-11-10'];

type Known = { readonly actions: ShareAction[]; until: IsoDate; factor: number; readonly steps: Step[] };
/** From this day on the model's price is multiplied by the factor. */
type Step = { readonly from: IsoDate; readonly factor: number };

const FIRST_DAY = '2013-01-03' as IsoDate;
const DECIMALS = 2;

export function withShareActions(source: PriceSource): PriceSource {
  const books = new Map<Symbol, Known>();
  for (const symbol of new Set([...Object.keys(SPLITS), ...Object.keys(YIELDS)]) as Set<Symbol>) {
    books.set(symbol, { actions: [], until: FIRST_DAY, factor: 1, steps: [{ from: FIRST_DAY, factor: 1 }] });
  }
  /** Everything that takes effect at or before the opening after `last`, the newest session that has closed. */
  const bookUntil = (symbol: Symbol, book: Known, last: IsoDate, asOf: Instant) => {
    for (; book.until <= last; book.until = nextTradingDay('us-equity', book.until)) {
      const exDate = nextTradingDay('us-equity', book.until);
      for (const action of actionsOn(symbol, exDate, () => closeOf(symbol, book, asOf))) {
        const before = closeOf(symbol, book, asOf);
        book.factor *= action.kind === 'split' ? 1 / action.amount : 1 - action.amount / before;
        book.actions.push({ symbol, ...action });
        book.steps.push({ from: exDate, factor: book.factor });
      }
    }
    return book;
  };
  const closeOf = (symbol: Symbol, { until, factor }: Known, asOf: Instant) => {
    const bar = source.dailyBars(symbol, { from: until, to: until, asOf })[0];
    if (bar === undefined) throw new Error(`${symbol} has no bar on ${until}`);
    return bar.close * factor;
  };
  const knownAt = (symbol: Symbol, at: Instant): Known | null => {
    const book = books.get(symbol);
    return book ? bookUntil(symbol, book, previousSession('us-equity', at).date, at) : null;
  };
  return {
    ...source,
    actions: (at) =>
      [...books.keys()]
        .flatMap((symbol) => knownAt(symbol, at)?.actions ?? [])
        .filter(({ exDate }) => exDate <= nextTradingDay('us-equity', previousSession('us-equity', at).date))
        .sort((left, right) => (left.exDate < right.exDate ? -1 : 1)),
    quote(symbol, at) {
      const quote = source.quote(symbol, at);
      const book = knownAt(symbol, at);
      if (quote === null || book === null) return quote;
      const instrument = source.instruments.find((one) => one.symbol === symbol)!;
      // Between two sessions the price is already that of the next one.
      const date = quote.open
        ? utcDate(at)
        : nextTradingDay('us-equity', previousSession('us-equity', at).date);
      return quoteAround(instrument, roundPrice(quote.last * factorOn(book, date), DECIMALS), at, quote.open);
    },
    dailyBars(symbol, range) {
      const bars = source.dailyBars(symbol, range);
      const book = knownAt(symbol, range.asOf);
      return book === null ? bars : bars.map((bar) => quotedBar(bar, factorOn(book, bar.date)));
    },
  };
}

function actionsOn(symbol: Symbol, exDate: IsoDate, close: () => number): CorporateAction[] {
  const splits = (SPLITS[symbol] ?? []).filter(([date]) => date === exDate);
  const actions = splits.map(([, amount]): CorporateAction => ({ kind: 'split', exDate, amount }));
  const yearly = YIELDS[symbol];
  if (yearly === undefined || !isQuarterDay(exDate)) return actions;
  const amount = Math.round(close() * (yearly / 4) * 100) / 100;
  return amount > 0 ? [...actions, { kind: 'dividend', exDate, amount }] : actions;
}

function isQuarterDay(date: IsoDate): boolean {
  const day = QUARTER_DAYS.map((end) => `${date.slice(0, 4)}${end}` as IsoDate).find(
    (one) => one <= date && nearTo(one, date),
  );
  if (day === undefined) return false;
  return session('us-equity', day) ? date === day : date === nextTradingDay('us-equity', day);
}

const nearTo = (day: IsoDate, date: IsoDate) => instantOfDate(date) - instantOfDate(day) < 7 * 86_400_000;

function factorOn({ steps }: Known, date: IsoDate): number {
  return steps.findLast(({ from }) => from <= date)?.factor ?? 1;
}

function quotedBar(bar: Bar, factor: number): Bar {
  const price = (value: number) => roundPrice(value * factor, DECIMALS);
  return {
    ...bar,
    open: price(bar.open),
    high: price(bar.high),
    low: price(bar.low),
    close: price(bar.close),
    volume: Math.round(bar.volume / factor),
  };
}
