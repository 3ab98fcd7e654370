import { z } from 'zod';

/** A track record that the provider imported. No figure, grade or line of ours is made from it. Percent unless noted. */
export const claim = z
  .object({
    id: z.string(),
    /** Whose word it is. */
    label: z.string(),
    source: z.string(),
    kind: z.enum(['returns', 'values']),
    /** Of the strategy, whose rules it is about. */
    version: z.number().int(),
    first_date: z.string(),
    last_date: z.string(),
    total_return: z.number(),
    /** Null for less than a year. */
    annual_return: z.number().nullable(),
    max_drawdown: z.number(),
    /** Real clock. */
    imported_at: z.string(),
    /** How many claims about this strategy were replaced or withdrawn before. */
    earlier: z.number().int(),
    /** Against our record since we know the rules, over the days that both have. */
    agreement: z.object({
      /** other_rules: the claim is about an earlier version. */
      outcome: z.enum(['confirmed', 'contradicted', 'too_early', 'other_rules']),
      word: z.string(),
      sentence: z.string(),
      method: z.string(),
      days: z.number().int(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      claimed_return: z.number().nullable(),
      own_return: z.number().nullable(),
      /** Points a year, claimed less own, with the interval around it. */
      difference: z.object({ mean: z.number(), low: z.number(), high: z.number() }).nullable(),
    }),
  })
  .meta({ id: 'ClaimedRecord' });

export type Claim = z.infer<typeof claim>;

/** The line of a claim beside ours over the days of the comparison: what 100 became. */
export const claimLine = z
  .object({
    labels: z.array(z.string()),
    data: z.array(z.number()),
    /** Null before and after the days of our record since we know the rules. */
    own: z.array(z.number().nullable()),
  })
  .meta({ id: 'ClaimedLine' });

export const importClaimRequest = z
  .object({
    source: z
      .string('Say where the figures come from')
      .trim()
      .min(3, 'Say where the figures come from')
      .max(200, 'Use at most 200 characters'),
    /** CSV: date,value or date,return. */
    file: z.string('Choose a file').min(1, 'Choose a file'),
  })
  .meta({ id: 'ImportClaimRequest' });
