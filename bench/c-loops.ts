// Compiles and runs bench/c/loops.c in a temporary folder, where a C compiler is present.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Outcome } from './engine-runs.ts';

export type CLoops = {
  /** With the median processor time of a run. */
  run(
    workload: 'crossover' | 'ranking' | 'sweep',
    all: readonly BarSeries[],
  ): Outcome & { readonly cpuMs: number };
  remove(): void;
};

/** Null without a compiler. */
export function compileCLoops(): CLoops | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-c-'));
  const program = path.join(folder, 'loops');
  const source = path.join(import.meta.dirname, 'c', 'loops.c');
  const flags = ['-std=gnu11', '-O3', '-march=native', '-ffp-contract=off'];
  const built = spawnSync('cc', [...flags, '-o', program, source, '-lm'], { encoding: 'utf8' });
  if (built.status !== 0) {
    rmSync(folder, { recursive: true });
    if (built.error === undefined) throw new Error(`cc does not compile ${source}: ${built.stderr}`);
    return null;
  }
  return {
    run: (workload, all) => {
      const file = path.join(folder, 'prices');
      writeFileSync(file, planes(all));
      const done = spawnSync(program, [workload, file, String(all[0]!.length), String(all.length)], {
        encoding: 'utf8',
      });
      if (done.status !== 0) throw new Error(`the C loop ended with ${done.status}: ${done.stderr}`);
      return JSON.parse(done.stdout);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** All opens, then all closes. */
function planes(all: readonly BarSeries[]): Float64Array {
  const { length } = all[0]!;
  const values = new Float64Array(2 * all.length * length);
  all.forEach(({ open, close }, s) => {
    values.set(open, s * length);
    values.set(close, (all.length + s) * length);
  });
  return values;
}
