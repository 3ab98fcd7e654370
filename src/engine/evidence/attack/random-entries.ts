// The rules' own positions at other times: the whole sequence of targets is moved along the days by a random number of them, and what
// falls off the end begins again at the start (a circular shift, as Masters, Monte-Carlo Evaluation of Trading Systems, 2006). So
// each run has the same exposure, holding times and turnover, and only its timing is random. Who always holds the same cannot beat it.
import type { TargetTable } from '../../strategy/targets/target-table.ts';
import { barAt, type Prepared } from '../../strategy/prepare.ts';
import { type AttackFinding, judged, notRun } from './attack-result.ts';
import type { AttackedRun } from './attacked-run.ts';

/** `random` gives numbers in [0, 1); the same ones give the same figure. `reached` hears the share of the runs that are done. */
export function attackByRandomEntries(
  base: AttackedRun,
  random: () => number,
  reached: (share: number) => void = () => undefined,
): AttackFinding {
  const { compiled, input } = base;
  if (input.definition.options !== undefined) return notRun('options_have_dates');
  const { table, prepared } = compiled;
  const from = Math.max(table.rows[0] ?? 0, firstCommonRow(prepared));
  const rows = table.timeline.length - from;
  if (rows < LEAST_ROWS) return notRun('too_short');
  const own = base.sharpe(shifted(table, { from, by: 0 }));
  let beaten = 0;
  for (let run = 0; run < RANDOM_RUNS; run++) {
    const by = 1 + Math.floor(random() * (rows - 1));
    if (own > base.sharpe(shifted(table, { from, by }))) beaten++;
    reached((run + 1) / RANDOM_RUNS);
  }
  return judged(beaten / RANDOM_RUNS, BEATEN);
}

/** With the run itself a hundred, so that a share is a whole percent. */
const RANDOM_RUNS = 99;
const BEATEN = 0.95;
/** A year of days. */
const LEAST_ROWS = 252;

/** The targets from a row on, moved along the rows after it. */
export function shifted(
  table: TargetTable,
  { from, by }: { readonly from: number; readonly by: number },
): TargetTable {
  const width = table.symbols.length;
  const length = table.timeline.length - from;
  let before = -1;
  while (before + 1 < table.count && table.rows[before + 1]! <= from) before++;
  // Which line is in force at each place; the first of them holds from `from` on.
  const lines: { readonly row: number; readonly line: number }[] = [];
  if (before >= 0) lines.push({ row: by, line: before });
  for (let line = before + 1; line < table.count; line++)
    lines.push({ row: (table.rows[line]! - from + by) % length, line });
  lines.sort((one, other) => one.row - other.row);
  // The one that ends the sequence goes on at its start.
  if (lines.length > 0 && lines[0]!.row > 0) lines.unshift({ row: 0, line: lines.at(-1)!.line });
  const weights = new Float64Array(lines.length * width);
  lines.forEach(({ line }, place) =>
    weights.set(table.weights.subarray(line * width, (line + 1) * width), place * width),
  );
  return {
    ...table,
    count: lines.length,
    rows: Int32Array.from(lines, ({ row }) => from + row),
    weights,
  };
}

/** From which row on every instrument has a bar, so that a moved target can be traded. */
function firstCommonRow({ instruments, timeline }: Prepared): number {
  let row = 0;
  for (const instrument of instruments) while (row < timeline.length && barAt(instrument, row) < 0) row++;
  return row;
}
