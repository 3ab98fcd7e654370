// `npm run backtest -- … --execution E.json --sweep features.fast.length=5..44`: every combination of the values, on all
// processors but one. Ctrl-C ends it between two chunks.
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Execution } from '#engine/research/execution.ts';
import { everySet } from '#engine/sweep/variant-definition.ts';
import { startSweepWorkers } from '#results/sweep/sweep-workers.ts';
import { fromMicro, type Micro } from '#units/money.ts';

export type SweepFiles = {
  readonly template: unknown;
  readonly series: BarSeries;
  readonly instrument: Instrument;
  readonly execution: Execution;
  /** As given on the command line. */
  readonly parameters: readonly string[];
};

export type SweptSet = {
  readonly parameters: { readonly [path: string]: number };
  readonly final_equity: number;
  /** A fraction, positive. */
  readonly max_drawdown: number;
  readonly fills: number;
  readonly trades: number;
};

/** Throws an Error that says what is wrong with the values or with a set of them, or that it was cancelled. */
export async function sweepFiles({ parameters, series, ...task }: SweepFiles): Promise<SweptSet[]> {
  const sets = everySet(parameters.map(parseParameter));
  if (sets.length > SETS_MAX)
    throw new Error(`${sets.length} sets are too many; at most ${SETS_MAX} are run`);
  const workers = startSweepWorkers();
  const cancel = new AbortController();
  const onInterrupt = () => cancel.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const outcome = await workers.run({ ...task, series: [series] }, sets, {
      signal: cancel.signal,
      onProgress: (done, of) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} sets`);
      },
    });
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    if (outcome.kind === 'cancelled')
      throw new Error(`cancelled after ${outcome.done} of ${sets.length} sets`);
    if (outcome.kind === 'refused')
      throw new Error(outcome.errors.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    const { finalEquity, maxDrawdown, fills, trades } = outcome.columns;
    return sets.map((set, i) => ({
      parameters: set,
      final_equity: fromMicro(finalEquity[i]! as Micro),
      max_drawdown: maxDrawdown[i]!,
      fills: fills[i]!,
      trades: trades[i]!,
    }));
  } finally {
    process.off('SIGINT', onInterrupt);
    await workers.close();
  }
}

const SETS_MAX = 100_000;

/** PATH=5,10,20 or PATH=5..44 or PATH=5..45/5. */
export function parseParameter(text: string): { path: string; values: number[] } {
  const [path, given] = text.split('=');
  if (path === undefined || path === '' || given === undefined)
    throw new Error(`--sweep wants PATH=VALUES such as features.fast.length=5..44, not "${text}"`);
  return { path, values: given.split(',').flatMap((part) => valuesOf(part, text)) };
}

function valuesOf(part: string, text: string): number[] {
  const range = /^(-?[\d.]+?)\.\.(-?[\d.]+?)(?:\/([\d.]+))?$/.exec(part);
  const numbers =
    range === null ? [Number(part)] : [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)];
  const [first, last = first, step = 1] = numbers;
  const isWrong = part === '' || numbers.some((number) => !Number.isFinite(number)) || step <= 0;
  if (isWrong || first === undefined || last === undefined || last < first)
    throw new Error(`--sweep ${text}: "${part}" is no number and no range such as 5..44 or 5..45/5`);
  const count = Math.floor((last - first) / step + 1e-9) + 1;
  return Array.from({ length: Math.min(count, SETS_MAX + 1) }, (_, i) => first + i * step);
}
