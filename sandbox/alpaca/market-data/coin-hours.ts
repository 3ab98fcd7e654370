// Hours of coins at the stand-in for Alpaca: the day of the market in twenty-four parts, whose open, high, low, close and volume
// are together those of the day.
import type { Symbol } from '#units/identifiers.ts';
import {
  HOUR_MS,
  type Instant,
  instant,
  instantOfDate,
  type IsoDate,
  isoText,
  utcDate,
} from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';

type Span = { readonly from: IsoDate; readonly to: IsoDate; readonly now: Instant };

export function coinHours(prices: PriceSource, symbol: Symbol, { from, to, now }: Span) {
  const whole = prices.dailyBars(symbol, { from, to, asOf: now }).flatMap((bar) => {
    const within = (price: number) => Math.min(bar.high, Math.max(bar.low, price));
    const ends = Array.from({ length: HOURS - 1 }, (_, hour) =>
      within(prices.quote(symbol, instant(instantOfDate(bar.date) + (hour + 1) * HOUR_MS))?.last ?? bar.open),
    );
    const marks = [bar.open, ...ends, bar.close];
    const part = Math.floor(bar.volume / HOURS);
    return Array.from({ length: HOURS }, (_, hour) => {
      const [open, close] = [marks[hour]!, marks[hour + 1]!];
      return hourRow(instant(instantOfDate(bar.date) + hour * HOUR_MS), {
        prices: [open, hour === HIGH_HOUR ? bar.high : open, hour === LOW_HOUR ? bar.low : open, close],
        volume: hour === HOURS - 1 ? bar.volume - part * (HOURS - 1) : part,
      });
    });
  });
  const today = utcDate(now);
  if (from > today || to < today) return whole;
  const over = Math.floor((now - instantOfDate(today)) / HOUR_MS);
  return [
    ...whole,
    ...Array.from({ length: over }, (_, hour) => hourOfToday(prices, symbol, hour, today)).flat(),
  ];
}

/** Of a day that is under way, no more is known than prices. */
function hourOfToday(prices: PriceSource, symbol: Symbol, hour: number, today: IsoDate) {
  const at = instant(instantOfDate(today) + hour * HOUR_MS);
  const last = prices.quote(symbol, at)?.last;
  return last === undefined ? [] : [hourRow(at, { prices: [last], volume: 0 })];
}

function hourRow(
  at: Instant,
  { prices, volume }: { readonly prices: readonly number[]; readonly volume: number },
) {
  const [open, close] = [prices[0]!, prices.at(-1)!];
  return {
    t: isoText(at),
    o: open,
    h: Math.max(...prices),
    l: Math.min(...prices),
    c: close,
    v: volume,
    n: 1,
    vw: close,
  };
}

const HOURS = 24;
const HIGH_HOUR = 7;
const LOW_HOUR = 15;
