import { z } from 'zod';

/** Chart ranges of the screens (spec section 9). */
export const timeframeRange = z.enum(['1D', '1W', '1M', '3M', '1Y', 'ALL']);

export type TimeframeRange = z.infer<typeof timeframeRange>;

/** Parallel series. Labels are ISO dates or date-times, oldest first. */
export const benchmarkedSeries = z
  .object({
    labels: z.array(z.string()),
    data: z.array(z.number()),
    /** The benchmark scaled to start where data starts; null where it has no price yet. */
    benchmark: z.array(z.number().nullable()),
  })
  .meta({ id: 'BenchmarkedSeries' });

export type BenchmarkedSeries = z.infer<typeof benchmarkedSeries>;

/** The name of the benchmark. */
export const benchmarkName = z.string().nullable();

export const plainSeries = z
  .object({ labels: z.array(z.string()), data: z.array(z.number()) })
  .meta({ id: 'PlainSeries' });
