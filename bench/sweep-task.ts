// The sweep that is measured in threads: all pairs over the days of one instrument, figures included.
import type { SweepTask } from '#results/sweep/run-variant.ts';
import { instant } from '#units/instant.ts';
import { pairInput } from './engine-runs.ts';
import { DAYS, walk } from './engine-workloads.ts';

export function sweepTask(): SweepTask {
  const bars = walk(DAYS);
  const input = pairInput(bars, 'weight');
  return { ...input, settings: { ...input.settings, committedAt: instant(bars.closedAt.at(-1)!) } };
}
