// Signal rules: a small state machine for each instrument (flat, long, short), and the weights whenever a side changes.
import { looksAtEveryBar } from '../schedule.ts';
import type { SignalRule } from '../definition.ts';
import type { Prepared } from '../prepare.ts';
import { membershipOf } from './basket.ts';
import { signalCodes } from './signal-codes.ts';
import { type ExitWatch, SignalMachine } from './signal-machine.ts';
import { type TargetTable, TargetWriter } from './target-table.ts';
import { weigherOf } from './weigh.ts';

export function signalTargets(
  prepared: Prepared,
  rule: SignalRule,
  exits: ExitWatch = 'at closes',
): TargetTable {
  const { definition, timeline, scheduled, instruments } = prepared;
  const machines = instruments.map(
    (instrument) => new SignalMachine(instrument, signalCodes(instrument, rule), { definition, exits }),
  );
  const exitPrices: number[] | null = exits === 'within bars' ? [] : null;
  const weigher = weigherOf(prepared);
  const writer = new TargetWriter(instruments.length);
  const sides = new Int8Array(instruments.length);
  const weights = new Float64Array(instruments.length);
  const onChange = looksAtEveryBar(definition);
  const basket = membershipOf(prepared);
  const moves = weigher.moves || basket !== null;
  // Where nothing but a signal changes weights, rows between two signals are passed over.
  const next = onChange && !moves ? (row: number) => nextRowOf(machines, row) : (row: number) => row;
  for (let t = next(0); t < timeline.length; t = next(t + 1)) {
    const isScheduled = scheduled[t] === 1;
    let changed = false;
    for (let s = 0; s < machines.length; s++) {
      if (!machines[s]!.passRow(t, isScheduled)) continue;
      sides[s] = machines[s]!.side;
      changed = true;
    }
    if (isScheduled) basket?.choose(t);
    if (!changed && !(isScheduled && (moves || !onChange))) continue;
    weigher.weigh(basket === null ? sides : basket.masked(sides), t, weights);
    const leaves = exitPrices !== null && machines.some(({ exitPrice }) => !Number.isNaN(exitPrice));
    if (!writer.differs(weights) && !leaves && !(isScheduled && !onChange && writer.count > 0)) continue;
    writer.push(t, weights);
    exitPrices?.push(...machines.map(({ exitPrice }) => exitPrice));
  }
  for (const machine of machines) machine.end(timeline.length - 1);
  return {
    symbols: definition.universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    ...(exitPrices === null ? {} : { exitPrices: Float64Array.from(exitPrices) }),
    verdicts: machines.map((machine) => machine.verdict),
    decidedAtRow: Int32Array.from(machines, (machine) => machine.decidedAtRow),
    entryBars: Int32Array.from(machines, (machine) => machine.entryBar),
  };
}

function nextRowOf(machines: readonly SignalMachine[], row: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (let s = 0; s < machines.length && next > row; s++) next = Math.min(next, machines[s]!.nextRow(row));
  return next;
}
