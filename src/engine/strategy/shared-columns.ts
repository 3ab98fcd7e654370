// What definitions over the same bars share, computed on first use: bars as signals read them, the timeline, which bar
// is the newest at each row, and features. Kept across the variants of one definition.
import type { BarSeries } from '../market/bar-series.ts';
import { signalSeries } from '../market/signal-bars.ts';
import { lastClosedIndex, sameInstants, unionOfInstants } from './align.ts';
import type { Feature, StrategyDefinition } from './definition.ts';
import { featureColumn, type SeriesBySymbol, seriesOf } from './feature-column.ts';
import { scheduledRows } from './schedule.ts';

export type Rows = {
  readonly timeline: Float64Array;
  /** For each instrument as PreparedInstrument has it. */
  readonly barOfRow: readonly (Int32Array | null)[];
};

export class SharedColumns {
  /** As signals read them. */
  readonly series: SeriesBySymbol;
  readonly #columns = new Map<BarSeries, Map<string, Float64Array>>();
  readonly #rows = new Map<string, Rows>();
  readonly #scheduled = new Map<Float64Array, Map<string, Uint8Array>>();

  constructor(series: SeriesBySymbol) {
    this.series = signalSeries(series);
  }

  /** Of a universe. Throws RangeError when bars of an instrument were not given. */
  rowsOf(universe: StrategyDefinition['universe']): Rows {
    const key = universe.join(' ');
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const all = universe.map((symbol) => seriesOf(this.series, symbol).closedAt);
    const timeline = unionOfInstants(all);
    const barOfRow = all.map((closedAt) => {
      return sameInstants(closedAt, timeline) ? null : lastClosedIndex(timeline, closedAt);
    });
    const rows = { timeline, barOfRow };
    this.#rows.set(key, rows);
    return rows;
  }

  /** See scheduledRows. */
  scheduled(
    definition: Pick<StrategyDefinition, 'schedule' | 'interval'>,
    timeline: Float64Array,
  ): Uint8Array {
    const key = JSON.stringify([definition.schedule, definition.interval]);
    let rows = this.#scheduled.get(timeline)?.get(key);
    if (rows !== undefined) return rows;
    rows = scheduledRows(definition, timeline);
    this.#scheduled.set(timeline, new Map(this.#scheduled.get(timeline)).set(key, rows));
    return rows;
  }

  feature(
    feature: Feature,
    bars: BarSeries,
    { features, periodsPerYear }: Pick<StrategyDefinition, 'features' | 'periodsPerYear'>,
  ): Float64Array {
    let columns = this.#columns.get(bars);
    if (columns === undefined) this.#columns.set(bars, (columns = new Map()));
    // Under one name another variant may read another feature.
    const read = feature.indicator === 'combine' ? features : null;
    const key = `${periodsPerYear} ${JSON.stringify(feature)} ${JSON.stringify(read)}`;
    let column = columns.get(key);
    if (column === undefined) {
      column = featureColumn(feature, bars, { series: this.series, periodsPerYear, features });
      columns.set(key, column);
    }
    return column;
  }
}
