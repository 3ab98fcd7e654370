// The simulated market: the same seed always gives the same prices. Days are generated in order and kept in memory. The
// quotes of a day and its bar come from one path, so the live day closes into exactly the bar that history shows.
import { type Session, session } from '#engine/market/calendar.ts';
import type { Bar, CalendarId, Instrument } from '#engine/market/instrument.ts';
import { dayOfDate } from '#engine/market/trading-day.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { coinModel } from './price-models/coin-model.ts';
import { currencyModel } from './price-models/currency-model.ts';
import {
  groupSteps,
  logPath,
  type PathSource,
  POINTS_PER_DAY,
  pricePath,
  roundPrice,
} from './price-models/day-path.ts';
import type { DayModel, DayShape } from './price-models/day-shape.ts';
import { marketFactor } from './price-models/market-factor.ts';
import { barsBetween, quoteFromBars } from './bar-search.ts';
import type { PriceSource } from './price-source.ts';
import { shareModel } from './price-models/share-model.ts';
import { COIN_INSTRUMENTS, CURRENCY_INSTRUMENTS, SHARE_INSTRUMENTS } from './simulated-instruments.ts';

const HISTORY_STARTS = '2013-01-02' as IsoDate;

/** The default world: an ordinary one, with a bear market in its past. */
export const DEFAULT_SEED = 7;

export function simulatedMarket(seed: number): PriceSource {
  const world = new World(seed);
  return {
    instruments: world.tracks.map((track) => track.instrument),
    quote(symbol, at) {
      const track = world.trackUntil(symbol, at);
      return track && quoteFromBars(track, at, (index, part) => world.pathOf(track, index)[part]!);
    },
    dailyBars(symbol, range) {
      const track = world.trackUntil(symbol, range.asOf);
      return track ? barsBetween(track.bars, range) : [];
    },
  };
}

/** One instrument's history: its bars, and the shapes that their paths follow from. */
type Track = {
  readonly instrument: Instrument;
  readonly source: PathSource;
  readonly bars: Bar[];
  readonly shapes: DayShape[];
  path: { index: number; prices: Float64Array } | null;
};

type Group = {
  readonly calendar: CalendarId;
  readonly stream: number;
  readonly model: DayModel;
  readonly tracks: Track[];
};

class World {
  readonly tracks: readonly Track[];
  private readonly seed: number;
  private readonly groups: readonly Group[];
  private readonly bySymbol: ReadonlyMap<Symbol, Track>;
  private made: IsoDate = addDays(HISTORY_STARTS, -1);
  private readonly scratch = new Float64Array(POINTS_PER_DAY);

  constructor(seed: number) {
    this.seed = seed;
    const market = marketFactor(seed);
    let surprise = { day: 0, value: 0 };
    const riskSurprise = (day: number) => (surprise.day === day ? surprise.value : 0);
    const shares = shareModel(seed, (day) => {
      const today = market(day);
      surprise = { day, value: today.surprise };
      return today;
    });
    // Shares come first: the others feel the surprise that the share market had on the same day.
    this.groups = [
      this.group('us-equity', SHARE_PATHS, shares, SHARE_INSTRUMENTS),
      this.group('forex', CURRENCY_PATHS, currencyModel(seed, riskSurprise), CURRENCY_INSTRUMENTS),
      this.group('crypto', COIN_PATHS, coinModel(seed, riskSurprise), COIN_INSTRUMENTS),
    ];
    this.tracks = this.groups.flatMap((group) => group.tracks);
    this.bySymbol = new Map(this.tracks.map((track) => [track.instrument.symbol, track]));
  }

  /** The track of a symbol, made far enough for an instant: a session may belong to the day after its UTC date. */
  trackUntil(symbol: Symbol, at: Instant): Track | null {
    const wanted = addDays(utcDate(at), 1);
    while (this.made < wanted) {
      this.made = addDays(this.made, 1);
      this.makeDay(this.made);
    }
    return this.bySymbol.get(symbol) ?? null;
  }

  pathOf(track: Track, index: number): Float64Array {
    if (track.path?.index !== index) {
      const day = dayOfDate(track.bars[index]!.date);
      const shared = groupSteps(this.seed, track.source.groupStream, day);
      track.path = { index, prices: pricePath(track.source, day, track.shapes[index]!, shared) };
    }
    return track.path.prices;
  }

  private makeDay(date: IsoDate): void {
    for (const group of this.groups) {
      const hours = session(group.calendar, date);
      if (!hours) continue;
      const day = dayOfDate(date);
      const shared = groupSteps(this.seed, group.stream, day);
      const shapes = group.model.step(day);
      group.tracks.forEach((track, index) => this.append(track, shapes[index]!, hours, shared));
    }
  }

  private append(track: Track, shape: DayShape, hours: Session, shared: Float64Array): void {
    const path = logPath(track.source, dayOfDate(hours.date), shape, shared, this.scratch);
    let high = path[0]!;
    let low = path[0]!;
    for (const log of path) {
      if (log > high) high = log;
      if (log < low) low = log;
    }
    const price = (log: number) => roundPrice(Math.exp(log), track.source.priceDecimals);
    track.shapes.push(shape);
    track.bars.push({
      openedAt: hours.opensAt,
      closedAt: hours.closesAt,
      date: hours.date,
      open: price(path[0]!),
      high: price(high),
      low: price(low),
      close: price(path[POINTS_PER_DAY - 1]!),
      volume: shape.volume,
    });
  }

  private group(
    calendar: CalendarId,
    stream: number,
    model: DayModel,
    instruments: readonly Instrument[],
  ): Group {
    const tracks = instruments.map((instrument, index): Track => {
      const { priceDecimals } = instrument;
      const source = { seed: this.seed, stream: stream * 100 + index, groupStream: stream, priceDecimals };
      return { instrument, source, bars: [], shapes: [], path: null };
    });
    return { calendar, stream, model, tracks };
  }
}

/** Streams of the quotes inside days; a group's members take the hundred times its own and up. */
const SHARE_PATHS = 5_000;
const CURRENCY_PATHS = 6_000;
const COIN_PATHS = 7_000;
