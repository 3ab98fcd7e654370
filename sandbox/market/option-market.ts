// Options on listed funds and shares: a chain of the next two monthly expiries, priced from the underlying's quote by the
// surface of engine/market/option-price. Every contract that was ever listed keeps its price until it ends.
import { nextTradingDay, previousSession, sessionAt } from '#engine/market/calendar.ts';
import { barSeries } from '#engine/market/bar-series.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import {
  monthlyExpiries,
  OPTION_SETTLEMENTS,
  type OptionContract,
  optionContract,
  optionInstrument,
  parseOption,
  strikeStep,
} from '#engine/market/option-contract.ts';
import { optionBars, optionPrice, volatilityLevels } from '#engine/market/derivatives/option-price.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { PriceSource, Quote } from './price-source.ts';
import { quoteAround } from './spread.ts';

/** What options are listed on: funds and shares that never split, so that no contract has to be adjusted. */
const UNDERLYINGS = ['BWMKT', 'BWGLD', 'TLCO', 'GRNF', 'NGTI', 'ALVT', 'LKSD'] as Symbol[];
/** Besides, on the market as a whole, those of the first month that settle in cash. */
const SETTLED_IN_CASH: readonly Symbol[] = ['BWMKT' as Symbol];
const EXPIRIES = 2;
/** Strikes are listed this far from the last close. */
const REACH = 0.15;
const FIRST_DAY = '2013-01-02' as IsoDate;

export function withOptionMarket(source: PriceSource): PriceSource {
  const levels = new Map<string, number>();
  /** The level before a session: of all closes up to the one before. */
  const levelBefore = (underlying: Symbol, date: IsoDate, asOf: Instant): number => {
    const key = `${underlying} ${date}`;
    let level = levels.get(key);
    if (level === undefined) {
      const bars = source
        .dailyBars(underlying, { from: FIRST_DAY, to: date, asOf })
        .filter((bar) => bar.date < date);
      level = volatilityLevels(Float64Array.from(bars, ({ close }) => close))[bars.length]!;
      if (levels.size > LEVELS_KEPT) levels.clear();
      levels.set(key, level);
    }
    return level;
  };

  const lastPrices = new Map<Symbol, number>();
  /** Its final price; requested repeatedly, and no longer changes. */
  const lastPrice = (option: OptionContract, at: Instant): number | null => {
    const known = lastPrices.get(option.symbol);
    if (known !== undefined) return known;
    const last = bars(option, { from: option.expiry, to: option.expiry, asOf: at }).at(-1);
    if (last === undefined) return null;
    if (lastPrices.size > PRICES_KEPT) lastPrices.clear();
    lastPrices.set(option.symbol, last.close);
    return last.close;
  };

  const quote = (option: OptionContract, at: Instant): Quote | null => {
    const instrument = optionInstrument(option);
    const current = sessionAt(instrument.calendar, at);
    const { date } = current ?? previousSession(instrument.calendar, at);
    if (date > option.expiry || (date === option.expiry && current === null)) {
      const last = lastPrice(option, at);
      return last === null ? null : quoteAround(instrument, Math.max(TICK, last), at, false);
    }
    const spot = source.quote(option.underlying, at);
    if (spot === null) return null;
    const level = levelBefore(option.underlying, date, at);
    // On its last day it is still worth what a few hours of volatility give: at least a cent.
    const price = Math.max(TICK, optionPrice(option, { spot: spot.last, level, date }));
    return quoteAround(instrument, price, at, spot.open);
  };

  const bars = (option: OptionContract, range: { from: IsoDate; to: IsoDate; asOf: Instant }): Bar[] => {
    const own = source.dailyBars(option.underlying, { from: FIRST_DAY, to: range.to, asOf: range.asOf });
    const priced = optionBars(option, barSeries(option.underlying, '1d', own));
    const skipped = own.findIndex(({ closedAt }) => closedAt === priced.closedAt[0]);
    return Array.from({ length: priced.length }, (_, i): Bar => {
      const { openedAt, closedAt, date } = own[skipped + i]!;
      const [open, high, low, close] = [priced.open[i]!, priced.high[i]!, priced.low[i]!, priced.close[i]!];
      return { openedAt, closedAt, date, open, high, low, close, volume: 0 };
    }).filter(({ date }) => date >= range.from && date <= range.to);
  };

  const chain = (at: Instant): Instrument[] => {
    const last = previousSession('us-equity', at).date;
    return UNDERLYINGS.flatMap((underlying) => {
      const close = source.dailyBars(underlying, { from: last, to: last, asOf: at })[0]?.close;
      if (close === undefined) return [];
      const step = strikeStep(close);
      const strikes: number[] = [];
      for (
        let strike = Math.ceil((close * (1 - REACH)) / step) * step;
        strike <= close * (1 + REACH);
        strike += step
      ) {
        strikes.push(strike);
      }
      return monthlyExpiries(nextTradingDay('us-equity', last), EXPIRIES).flatMap((expiry, month) =>
        strikes.flatMap((strike) =>
          (['call', 'put'] as const).flatMap((right) =>
            settlementsOf(underlying, month).map((settlement) =>
              optionInstrument(optionContract({ underlying, right, strike, expiry, settlement })),
            ),
          ),
        ),
      );
    });
  };

  const optionOf = (symbol: Symbol) => {
    const option = parseOption(symbol);
    if (option === null || !UNDERLYINGS.includes(option.underlying)) return null;
    return settlementsOf(option.underlying, 0).includes(option.settlement) ? option : null;
  };
  return {
    ...source,
    listedAt: (at) => [...(source.listedAt?.(at) ?? source.instruments), ...chain(at)],
    quote: (symbol, at) => {
      const option = optionOf(symbol);
      return option ? quote(option, at) : source.quote(symbol, at);
    },
    dailyBars: (symbol, range) => {
      const option = optionOf(symbol);
      return option ? bars(option, range) : source.dailyBars(symbol, range);
    },
  };
}

const settlementsOf = (underlying: Symbol, month: number) =>
  OPTION_SETTLEMENTS.filter(
    (one) => one === 'shares' || (month === 0 && SETTLED_IN_CASH.includes(underlying)),
  );

const TICK = 0.01;
const LEVELS_KEPT = 1_000;
const PRICES_KEPT = 10_000;
