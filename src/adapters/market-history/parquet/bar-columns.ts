// Bars as the columns of a file. A close is a day and an offset from its midnight: both repeat or grow evenly, so that
// they take almost no space. Prices and volumes are decimals where they are exactly that, else floating-point.
import type { Bar, BarInterval } from '#engine/market/instrument.ts';
import { dayOfDate } from '#engine/market/trading-day.ts';
import { DAY_MS, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { DELTA_MAX } from './delta-encoding.ts';
import type { Column, ColumnType, RowGroup } from './parquet-file.ts';

export const BAR_COLUMNS = {
  knownAt: 0,
  date: 1,
  closeOffsetMs: 2,
  lastsMs: 3,
  open: 4,
  high: 5,
  low: 6,
  close: 7,
  volume: 8,
} as const;

/** A row group of a year of minutes of a share; of this size it is read in a few milliseconds. */
export const ROWS_MAX = 122_880;
/** More decimals than a price or a volume is quoted in. */
const DECIMALS_MAX = 8;
const PRICES = ['open', 'high', 'low', 'close'] as const;

/** The columns that hold exactly these bars. */
export function columnsFor(bars: readonly Bar[]): readonly Column[] {
  const price = typeFor(PRICES.flatMap((name) => bars.map((bar) => bar[name])));
  const volume = typeFor(bars.map((bar) => bar.volume));
  return [
    { name: 'known_at', type: 'timestamp' },
    { name: 'date', type: 'date' },
    { name: 'close_offset_ms', type: 'int32' },
    { name: 'lasts_ms', type: 'int32' },
    ...PRICES.map((name): Column => ({ name, type: price })),
    { name: 'volume', type: volume },
  ];
}

/** Whether a file with these columns can hold the bars to the last bit. */
export function canHold(columns: readonly Column[], bars: readonly Bar[]): boolean {
  const price = columns[BAR_COLUMNS.open]!.type;
  const volume = columns[BAR_COLUMNS.volume]!.type;
  return bars.every(
    (bar) => PRICES.every((name) => isExact(price, bar[name])) && isExact(volume, bar.volume),
  );
}

export function rowGroupOf(bars: readonly Bar[], knownAt: Instant): RowGroup {
  const column = (pick: (bar: Bar) => number) => Float64Array.from(bars, pick);
  return [
    column(() => knownAt),
    column((bar) => dayOfDate(bar.date)),
    column((bar) => bar.closedAt - dayOfDate(bar.date) * DAY_MS),
    column((bar) => bar.closedAt - bar.openedAt),
    ...PRICES.map((name) => column((bar) => bar[name])),
    column((bar) => bar.volume),
  ];
}

/** The bars of such columns. */
export function barsOf(columns: RowGroup): Bar[] {
  const value = (name: keyof typeof BAR_COLUMNS, i: number) => columns[BAR_COLUMNS[name]]![i]!;
  return Array.from(columns[BAR_COLUMNS.date]!, (day, i): Bar => {
    const closedAt = day * DAY_MS + value('closeOffsetMs', i);
    return {
      openedAt: (closedAt - value('lastsMs', i)) as Instant,
      closedAt: closedAt as Instant,
      date: dateOfDay(day),
      open: value('open', i),
      high: value('high', i),
      low: value('low', i),
      close: value('close', i),
      volume: value('volume', i),
    };
  });
}

export function dateOfDay(day: number): IsoDate {
  return utcDate((day * DAY_MS) as Instant);
}

/** Days have one file for all years: a year of them would take less than a block of the disk. */
export function periodOf(interval: BarInterval, bar: Bar): string {
  return interval === '1d' ? 'days' : bar.date.slice(0, 4);
}

function typeFor(values: readonly number[]): ColumnType {
  for (let decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
    if (values.every((value) => isExact({ decimals }, value))) return { decimals };
  }
  return 'double';
}

function isExact(type: ColumnType, value: number): boolean {
  if (typeof type !== 'object') return type === 'double';
  const factor = 10 ** type.decimals;
  const whole = Math.round(value * factor);
  return Math.abs(whole) <= DELTA_MAX && Object.is(whole / factor, value);
}
