// What may go wrong at the stand-in for Alpaca, written down as data: a seed and rules. The same script over the same calls
// does the same, draw for draw.
import { z } from 'zod';

/** What a rule waits for: a call of the API, or a frame of one of the streams. */
const OCCASIONS = [
  'submit',
  'cancel',
  'orders',
  'order',
  'fills',
  'activities',
  'positions',
  'account',
  'token',
  'prices',
  'reference',
  'any',
  'trade_frame',
  'price_frame',
] as const;
export type Occasion = (typeof OCCASIONS)[number];

const FAULT = z.discriminatedUnion('kind', [
  /** No answer: the request was not read (before), or was acted upon (after). */
  z.strictObject({ kind: z.literal('lost'), when: z.enum(['before', 'after']) }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    body: z.string().default('{}'),
  }),
  /** 429, as when the limit of requests is reached. */
  z.strictObject({ kind: z.literal('too_many') }),
  z.strictObject({ kind: z.literal('slow'), ms: z.int().positive() }),
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({ kind: z.literal('list'), how: z.enum(['empty', 'repeated', 'reordered']) }),
  /** This field of every row, at any depth. */
  z.strictObject({
    kind: z.literal('field'),
    field: z.string().min(1),
    how: z.enum(['missing', 'null', 'words', 'huge', 'negative']),
  }),
  /** held: sent after the next one. cut: the connection ends with it, unsent. */
  z.strictObject({
    kind: z.literal('frame'),
    how: z.enum(['missing', 'repeated', 'held', 'garbled', 'cut']),
  }),
]);
export type Fault = z.infer<typeof FAULT>;

const RULE = z.strictObject({
  on: z.enum(OCCASIONS),
  fault: FAULT,
  /** The occasion of this number, from 1. */
  nth: z.int().positive().optional(),
  probability: z.number().min(0).max(1).optional(),
  /** At most so often. */
  times: z.int().positive().optional(),
});

export const FAULT_SCRIPT = z.strictObject({
  seed: z.int().min(0).default(1),
  rules: z.array(RULE).default([]),
});
export type FaultScript = z.infer<typeof FAULT_SCRIPT>;
