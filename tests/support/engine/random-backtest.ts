// Seeded backtests of every kind of instrument: gaps, bad prices, several bars a day, splits, dividends, futures with
// their contracts, options beside shares. The same seed and shape give the same input.
import type { IsoDate } from '#units/instant.ts';
import type { BacktestInput, BacktestSettings } from '#engine/backtest/settings.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { session } from '#engine/market/calendar.ts';
import { tradingDays } from '../trading-days.ts';
import { contractMonths } from '#engine/market/derivatives/contract-months.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { definitionOf, SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from './sample-definitions.ts';
import {
  cryptoInstrument,
  equityInstrument,
  forexInstrument,
  instrumentMap,
  randomFrom,
  seriesMap,
} from './random-market.ts';

export const MARKETS = ['shares', 'currencies', 'coins', 'futures', 'options', 'mixed', 'single'] as const;

export type Shape = {
  readonly market: (typeof MARKETS)[number];
  readonly seed: number;
  /** Days. */
  readonly days: number;
  /** Largest move of one bar, as a share of the price. */
  readonly swing: number;
  /** Omits one day in this many, for every second instrument; 0 omits none. */
  readonly gapEvery: number;
  /** A share splits or pays once in this many days; 0 is never. */
  readonly actionEvery: number;
  /** A close is invalid once in this many bars; 0 is never. */
  readonly badEvery: number;
  readonly barsADay: 1 | 3;
  readonly definition: number;
  readonly step: Instrument['quantityStep'];
  readonly settings: BacktestSettings;
};

export function randomBacktest(shape: Shape): BacktestInput {
  const { market, settings, definition } = shape;
  const { instruments, definitions } = MARKET[market];
  const list = instruments.map((one) =>
    one.settlement === 'cash' && one.expiry === null ? { ...one, quantityStep: shape.step } : one,
  );
  const contracts = list.flatMap((one) => contractsOf(one, shape.days));
  const series = list.flatMap((one, i) => {
    const own = seriesOf(one, i, shape);
    // A contract is quoted like the continuous series.
    const months = contracts.filter(({ symbol }) => symbol.startsWith(`${one.symbol}.`));
    return [own, ...months.map((month) => lastOf(own, month))];
  });
  return {
    definition: definitions[definition % definitions.length]!,
    instruments: instrumentMap(...list, ...contracts),
    series: seriesMap(...series),
    settings,
  };
}

const FROM = '2024-01-02' as IsoDate;

function lastDay(days: number): IsoDate {
  return new Date(Date.parse(FROM) + days * 86_400_000).toISOString().slice(0, 10) as IsoDate;
}

function seriesOf(instrument: Instrument, i: number, shape: Shape): BarSeries {
  const { seed, days, swing, gapEvery, actionEvery, badEvery, barsADay } = shape;
  const random = randomFrom(seed * 31 + i);
  const dates = tradingDays(instrument.calendar, { from: FROM, to: lastDay(days) });
  const scale = 10 ** instrument.priceDecimals;
  const quoted = (price: number) => Math.max(1, Math.round(price * scale)) / scale;
  const columns = { closedAt: [] as number[], open: [] as number[], high: [] as number[] };
  const more = { low: [] as number[], close: [] as number[], volume: [] as number[] };
  const actions: CorporateAction[] = [];
  const isShare = instrument.kind === 'equity';
  let price = instrument.kind === 'forex' ? 1.1 + i * 0.1 : 80 + i * 15;
  dates.forEach((date, day) => {
    if (isShare && actionEvery > 0 && day % actionEvery === actionEvery - 1 - i) {
      const kind = random() < 0.4 ? 'split' : 'dividend';
      const amount = kind === 'dividend' ? quoted(price * 0.01) : random() < 0.6 ? 2 : 0.25;
      price = kind === 'split' ? price / amount : price - amount;
      actions.push({ kind, exDate: date, amount });
    }
    const isGap = gapEvery > 0 && i % 2 === 1 && day % gapEvery === gapEvery - 1;
    const { opensAt, closesAt } = session(instrument.calendar, date)!;
    for (let bar = 1; bar <= barsADay; bar++) {
      const open = quoted(price * (1 + (random() - 0.5) * swing * 0.5));
      const close = quoted(open * (1 + (random() - 0.5) * swing));
      const isBad = badEvery > 0 && columns.closedAt.length % badEvery === badEvery - 1;
      price = close;
      if (isGap) continue;
      columns.closedAt.push(opensAt + ((closesAt - opensAt) * bar) / barsADay);
      columns.open.push(open);
      columns.high.push(quoted(Math.max(open, close) * (1 + random() * swing * 0.3)));
      more.low.push(quoted(Math.min(open, close) * (1 - random() * swing * 0.3)));
      more.close.push(isBad ? (random() < 0.5 ? 0 : Number.NaN) : close);
      more.volume.push(1_000);
    }
  });
  const all = Object.entries({ ...columns, ...more }).map(([name, list]) => [name, Float64Array.from(list)]);
  return {
    symbol: instrument.symbol,
    interval: barsADay === 1 ? '1d' : '1h',
    length: columns.closedAt.length,
    ...(Object.fromEntries(all) as Omit<BarSeries, 'symbol' | 'interval' | 'length' | 'actions'>),
    ...(actions.length === 0 ? {} : { actions }),
  };
}

function contractsOf(root: Instrument, days: number): Instrument[] {
  if (root.kind !== 'futures') return [];
  return contractMonths(root.symbol, FROM, Math.ceil(days / 91) + 2).map(({ symbol, expiry }) => {
    return { ...root, symbol, name: symbol, expiry };
  });
}

/** The bars of a contract: those of its root until it ends. */
function lastOf(root: BarSeries, { symbol, expiry }: Instrument): BarSeries {
  const end = Date.parse(expiry!) + 86_400_000;
  let length = 0;
  while (length < root.length && root.closedAt[length]! <= end) length++;
  const cut = (column: Float64Array) => column.slice(0, length);
  const { closedAt, open, high, low, close, volume } = root;
  return {
    symbol,
    interval: root.interval,
    length,
    closedAt: cut(closedAt),
    open: cut(open),
    high: cut(high),
    low: cut(low),
    close: cut(close),
    volume: cut(volume),
  };
}

function future(symbol: string): Instrument {
  return {
    ...equityInstrument(symbol),
    kind: 'futures',
    multiplier: 5,
    settlement: 'margin',
  };
}

const SHARES = SAMPLE_SYMBOLS.map(equityInstrument);
const LONG_SHORT = Object.values(SAMPLE_DEFINITIONS);

/** Every sample definition over other symbols, as far as it names no more of them. */
function over(symbols: readonly string[], direction = 'long_short') {
  const fast = { indicator: 'sma', length: 3 };
  const slow = { indicator: 'sma', length: 9 };
  const up = { op: 'above', left: 'fast', right: 'slow' };
  const down = { op: 'below', left: 'fast', right: 'slow' };
  const rule =
    direction === 'long'
      ? { type: 'signals', enterLong: up, exitLong: down }
      : { type: 'signals', enterLong: up, enterShort: down };
  const base = { universe: symbols, benchmark: symbols[0], features: { fast, slow }, rule, direction };
  return [
    definitionOf(base),
    definitionOf({ ...base, schedule: { every: 'week' }, weighting: { type: 'equal', over: 'held' } }),
    definitionOf({ ...base, weighting: { type: 'volatility_target', length: 5, annualPercent: 15 } }),
    definitionOf({ ...base, exits: { stopPercent: 2, targetPercent: 3, maxBars: 8 }, gross: 0.7 }),
  ];
}

function withOptions(symbols: readonly string[]) {
  return ['covered_call', 'protective_put', 'cash_secured_put'].flatMap((structure) =>
    ['shares', 'cash'].flatMap((settlement) =>
      (['long', 'long_short'] as const).map((direction) => {
        const rule = {
          type: 'signals',
          enterLong: { op: 'above', left: 'close', right: 'mean' },
          exitLong: { op: 'below', left: 'close', right: 'mean' },
        };
        const parsed = definitionOf({
          universe: symbols,
          benchmark: symbols[0],
          direction: 'long_short',
          features: { mean: { indicator: 'sma', length: 15 } },
          rule,
          gross: 0.9,
          options: { structure, underlyings: symbols.slice(0, 2), strikePercent: 101, settlement },
        });
        // A strategy that may not sell short may not write options either.
        return { ...parsed, direction };
      }),
    ),
  );
}

const MARKET: Record<
  Shape['market'],
  {
    readonly instruments: readonly Instrument[];
    readonly definitions: readonly BacktestInput['definition'][];
  }
> = {
  shares: { instruments: SHARES, definitions: LONG_SHORT },
  currencies: {
    instruments: ['EURUSD', 'USDJPY', 'GBPUSD'].map(forexInstrument),
    definitions: over(['EURUSD', 'USDJPY', 'GBPUSD']),
  },
  coins: {
    instruments: ['BTCUSD', 'ETHUSD'].map(cryptoInstrument),
    definitions: [...over(['BTCUSD', 'ETHUSD'], 'long'), ...over(['BTCUSD', 'ETHUSD'])],
  },
  futures: { instruments: [future('ESX'), future('NQX')], definitions: over(['ESX', 'NQX']) },
  options: { instruments: SHARES.slice(0, 3), definitions: withOptions(['AAA', 'BBB', 'CCC']) },
  mixed: {
    instruments: [
      equityInstrument('AAA'),
      cryptoInstrument('BTCUSD'),
      forexInstrument('EURUSD'),
      future('ESX'),
    ],
    definitions: over(['AAA', 'BTCUSD', 'EURUSD', 'ESX']),
  },
  single: {
    instruments: [equityInstrument('AAA')],
    definitions: [...over(['AAA'], 'long'), ...over(['AAA'])].filter(
      ({ weighting, schedule }) => weighting.type === 'equal' && schedule.every === 'day',
    ),
  },
};
