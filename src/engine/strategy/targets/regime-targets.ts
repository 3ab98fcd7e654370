// A rule that stands aside while a condition over one instrument does not hold. The rule and what counts in its place each run on
// as if they were alone, so that a switch takes over the positions that the other one holds at that close.
import { lastClosedIndex } from '../align.ts';
import type { RankingRule, Regime, SignalRule } from '../definition.ts';
import { type Prepared, STALE_MS } from '../prepare.ts';
import { looksAtEveryBar } from '../schedule.ts';
import { conditionColumn, TRUE, UNKNOWN } from './condition-column.ts';
import { type RegimeReading, type TargetTable, TargetWriter, type Verdict } from './target-table.ts';

export type RegimeTables = {
  readonly main: TargetTable;
  /** Null where nothing is held in place of the rule. */
  readonly other: TargetTable | null;
};

export function regimeTargets(prepared: Prepared, regime: Regime, tables: RegimeTables): TargetTable {
  const { definition, timeline, scheduled } = prepared;
  const width = definition.universe.length;
  const holdsAt = regimeReader(prepared, regime);
  const main = new LineReader(tables.main);
  const other = tables.other && new LineReader(tables.other);
  const writer = new TargetWriter(width);
  const nothing = new Float64Array(width);
  const onChange = looksAtEveryBar(definition);
  let holds: boolean | null = null;
  let row = -1;
  let since = -1;
  for (let t = 0; t < timeline.length; t++) {
    const isScheduled = scheduled[t] === 1;
    const moved = [main.passRow(t), other?.passRow(t) === true].some(Boolean);
    if (!isScheduled && !moved) continue;
    if (isScheduled) {
      const now = holdsAt(t);
      if (now !== holds || row < 0) since = t;
      [holds, row] = [now, t];
    }
    const active = holds === true ? main : holds === false ? other : null;
    const weights = active?.weights ?? nothing;
    if (writer.differs(weights) || (isScheduled && !onChange && writer.count > 0)) writer.push(t, weights);
  }
  const { otherwise } = regime;
  const rule: SignalRule | RankingRule | null = otherwise.type === 'cash' ? null : otherwise;
  const active =
    holds === true
      ? { rule: definition.rule, table: tables.main }
      : holds === false && rule !== null && tables.other !== null
        ? { rule, table: tables.other }
        : null;
  return {
    symbols: definition.universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    verdicts: active?.table.verdicts ?? aside(tables.main, row),
    decidedAtRow: active?.table.decidedAtRow ?? new Int32Array(width).fill(since),
    ...(active?.table.entryBars && { entryBars: active.table.entryBars }),
    ...(active?.table.spreadAt && { spreadAt: active.table.spreadAt }),
    regime: { row, holds, active },
  };
}

/** Whether the condition holds at a row, by the newest bar that was closed; null where that is not known. */
export function regimeReader(
  { timeline, regime: read }: Prepared,
  regime: Regime,
): (row: number) => RegimeReading['holds'] {
  if (read === undefined) throw new RangeError(`no bars prepared for ${regime.symbol}`);
  const { bars } = read;
  const column = conditionColumn(regime.when, read);
  const barOfRow = lastClosedIndex(timeline, bars.closedAt);
  return (row) => {
    const bar = barOfRow[row]!;
    const isKnown = bar >= 0 && timeline[row]! - bars.closedAt[bar]! <= STALE_MS && column[bar] !== UNKNOWN;
    return isKnown ? column[bar] === TRUE : null;
  };
}

function aside({ verdicts }: TargetTable, row: number): readonly Verdict[] {
  return verdicts.map((verdict) => (row < 0 || verdict === 'warming_up' ? 'warming_up' : 'stands_aside'));
}

/** The newest line of a table at each row. */
class LineReader {
  readonly #table: TargetTable;
  #line = -1;

  constructor(table: TargetTable) {
    this.#table = table;
  }

  /** Whether a line was written at this row. */
  passRow(row: number): boolean {
    const { count, rows } = this.#table;
    if (this.#line + 1 >= count || rows[this.#line + 1] !== row) return false;
    this.#line++;
    return true;
  }

  /** Null before the first. */
  get weights(): Float64Array | null {
    if (this.#line < 0) return null;
    const width = this.#table.symbols.length;
    return this.#table.weights.subarray(this.#line * width, (this.#line + 1) * width);
  }
}
