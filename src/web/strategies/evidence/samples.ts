import type { SampleResults } from '#contract/strategies/evidence.ts';
import type { Strategy } from '#contract/strategies/strategies.ts';

export type SampleFigure = (sample: SampleResults) => number | null;

/** The two parts of a record, and whether the later one is long enough for its figures to say something. */
type Samples = Strategy['samples'] & { readonly isEnough: boolean };

export function samplesOf({ samples, evidence }: Pick<Strategy, 'samples' | 'evidence'>): Samples {
  return { ...samples, isEnough: evidence.out_of_sample.is_enough && samples.out_of_sample !== null };
}

/** Which part a period that ends today belongs to, by its first day. */
export function partSince(
  strategy: Pick<Strategy, 'evidence'>,
  firstDay: string,
): 'out_of_sample' | 'both' | 'in_sample' {
  const { from, days } = strategy.evidence.out_of_sample;
  if (days === 0) return 'in_sample';
  return firstDay >= from.slice(0, 10) ? 'out_of_sample' : 'both';
}

/** Where a drawn record turns out-of-sample; nothing while it has not. */
export function laterPoints(labels: readonly string[], committedAt: string) {
  const from = labels.findIndex((label) => label > committedAt.slice(0, 10));
  return from < 0 ? undefined : ({ from, texture: 'out-of-sample' } as const);
}
