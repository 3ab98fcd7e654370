import { z } from 'zod';
import { TRIPWIRE_STATES } from '#engine/risk/tripwire.ts';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

const expectedRow = z.object({
  date: z.string(),
  /** Sessions since the start. */
  session: z.number().int(),
  /** The share of the alternatives that is below: 0.05, 0.25, 0.5, 0.75 and 0.95. A value of 1 is what it started with. */
  p5: z.number(),
  p25: z.number(),
  p50: z.number(),
  p75: z.number(),
  p95: z.number(),
});

const expectedRange = z
  .object({
    /** Market time at which it was written; it never changes afterwards. Null until then. */
    made_at: z.string().nullable(),
    /** Why there is none, as a sentence; null where there is one. */
    unavailable: z.string().nullable(),
    /** From the start on, oldest first; empty where there is none. */
    rows: z.array(expectedRow),
    /** How many alternatives it is made of; null where there is none. */
    alternatives: z.number().int().nullable(),
    /** What it was made from; null until it is made. */
    made_from: z
      .object({
        /** Days of the published record. */
        first_date: z.string(),
        last_date: z.string(),
        /** Its daily returns, and those of them from before the version was committed. */
        days: z.number().int(),
        days_in_sample: z.number().int(),
        investment_amount: z.number(),
        stop_loss_percentage: z.number(),
        max_allocation_per_trade: z.number(),
        freeze_on_drawdown: z.number(),
        /** SHA-256 of the published result, and of the engine that made the range. */
        result_hash: z.string(),
        engine_hash: z.string(),
      })
      .nullable(),
    /** Whether the live days are still no worse than the published ones. */
    tripwire: z.object({
      state: z.enum(TRIPWIRE_STATES),
      /** Market time; null while it has always been green. */
      since: z.string().nullable(),
      /** The last day that was looked at, and how many count since the comparison began. */
      judged_until: z.string().nullable(),
      days: z.number().int(),
      /** What the state says, as sentences. */
      meaning: z.string(),
    }),
  })
  .meta({ id: 'ExpectedRange' });

export type ExpectedRange = z.infer<typeof expectedRange>;

export const expectedRangeEndpoints = {
  getExpectedRange: endpoint(ROUTES.getExpectedRange, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'Where a deployment was expected to go when it started, and whether its live days still fit',
    description:
      'Made once from the published daily returns with the terms of this deployment, in other orders: it assumes that the spread of the past continues. Values are of its return: 1 is what it started with.',
    answer: expectedRange,
  }),
  downloadExpectedRange: endpoint(ROUTES.downloadExpectedRange, {
    ...OF_OWN_DEPLOYMENT,
    opensByLink: true,
    summary: 'The expected range as CSV',
    description: 'One row a date, with the return that each share of the alternatives is below.',
    answer: z.string(),
    media: 'text/csv',
  }),
} as const;
