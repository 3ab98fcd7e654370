// What may go wrong at the brokerage, written down as data: a seed and rules. The same script over the same calls does
// the same, draw for draw.
import { z } from 'zod';
import { type Instant, parseInstant } from '#units/instant.ts';

/** What a rule waits for: a call of the API, a chance of an order to fill, a frame of the stream, or the sandbox clock. */
const OCCASIONS = [
  'submit',
  'reply',
  'cancel',
  'orders',
  'order_status',
  'trades',
  'positions',
  'cash',
  'accounts',
  'session',
  'token',
  'contracts',
  'quotes',
  'any',
  'fill',
  'frame',
  'clock',
] as const;
export type Occasion = (typeof OCCASIONS)[number];

const WIRE = [
  /** No answer: the request was not read (before), or was acted upon (after). close: at once; silence: never. */
  z.strictObject({
    kind: z.literal('lost'),
    when: z.enum(['before', 'after']),
    how: z.enum(['close', 'silence']).default('close'),
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    body: z.string().default('{"error":"Service Unavailable"}'),
  }),
  /** Everything fails with this status for a while of real time. */
  z.strictObject({
    kind: z.literal('outage'),
    status: z.int().min(500).max(599).default(503),
    seconds: z.number().positive(),
  }),
  /** 429, now and for every call until the box opens; real time. */
  z.strictObject({ kind: z.literal('penalty_box'), seconds: z.number().positive().default(600) }),
  z.strictObject({ kind: z.literal('slow'), ms: z.int().positive() }),
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({ kind: z.literal('wrong_account') }),
  z.strictObject({ kind: z.literal('numbers'), how: z.enum(['huge', 'negative', 'words', 'missing']) }),
  /** `partial` keeps each row with probability `keep`; `repeated` lists rows twice, in another order. */
  z.strictObject({
    kind: z.literal('list'),
    how: z.enum(['empty', 'partial', 'repeated', 'whole_history']),
    keep: z.number().min(0).max(1).default(0.5),
  }),
] as const;

const ORDERS = [
  /** For submit: lists omit the order and its executions for this many minutes of the sandbox clock. */
  z.strictObject({ kind: z.literal('hidden'), minutes: z.number().positive() }),
  /** A chain of questions before the order is taken. expired: no reply id is known any more. */
  z.strictObject({
    kind: z.literal('questions'),
    messageIds: z.array(z.string().min(1)).min(1),
    text: z.string().default('Are you sure that you want to submit this order?'),
    expired: z.boolean().default(false),
  }),
  /** For submit: a client order id that is there already is taken again, as a second order. */
  z.strictObject({ kind: z.literal('takes_repeats') }),
  z.strictObject({ kind: z.literal('reject'), text: z.string().min(1), status: z.int().default(200) }),
  /** Taken, and parked as Inactive a moment later, with a reason or without. */
  z.strictObject({ kind: z.literal('inactive'), text: z.string().default('') }),
  /** For fill: only this share of the remaining quantity trades now. 0 trades none. */
  z.strictObject({ kind: z.literal('partial_fill'), share: z.number().min(0).lt(1) }),
  /** For fill: the broker charges this much of what its tariff says; negative for a rebate. */
  z.strictObject({ kind: z.literal('commission'), factor: z.number().min(-10).max(10) }),
  /** For trades: executions of the last minutes of the sandbox clock come without their commission, as the vendor writes it. */
  z.strictObject({
    kind: z.literal('late_commissions'),
    minutes: z.number().positive(),
    how: z.enum(['', '-1']).default('-1'),
  }),
  /** For cancel: it takes so long, and until then the order may fill. */
  z.strictObject({ kind: z.literal('slow_cancel'), minutes: z.number().positive() }),
  /** For cancel: the order fills at the price of the moment before the cancellation arrives. */
  z.strictObject({ kind: z.literal('fill_wins') }),
] as const;

const BOOKS = [
  z.strictObject({ kind: z.literal('session_lost') }),
  z.strictObject({ kind: z.literal('token_lost') }),
  /** The person signs in with another program. */
  z.strictObject({ kind: z.literal('competing') }),
  /** And out of it again. */
  z.strictObject({ kind: z.literal('competing_ends') }),
  /** The person takes back the permission to trade and leaves the one to read. */
  z.strictObject({ kind: z.literal('trading_forbidden') }),
  /** And gives it again. */
  z.strictObject({ kind: z.literal('trading_allowed') }),
  z.strictObject({
    kind: z.literal('external_trade'),
    symbol: z.string(),
    side: z.enum(['BUY', 'SELL']),
    units: z.number().positive(),
  }),
  /**
   * Revises the newest execution of the open session under the next revision of its id: its price or its quantity times
   * `factor`, or a bust, reported as quantity 0 or by silence. `beside`: lists keep reporting the earlier revisions too.
   */
  z.strictObject({
    kind: z.literal('revised'),
    how: z.enum(['price', 'quantity', 'bust', 'vanished']),
    factor: z.number().positive().default(0.5),
    beside: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('withdraw'), dollars: z.number() }),
  /** The position changes without an execution. */
  z.strictObject({ kind: z.literal('drift'), symbol: z.string(), units: z.number() }),
] as const;

const FRAMES = [
  z.strictObject({ kind: z.literal('frame'), how: z.enum(['missing', 'repeated', 'whole_history']) }),
] as const;

export const FAULT = z.discriminatedUnion('kind', [...WIRE, ...ORDERS, ...BOOKS, ...FRAMES]);
export type Fault = z.infer<typeof FAULT>;

const instantText = z.iso.datetime({ offset: true }).transform((text): Instant => parseInstant(text));

const RULE = z
  .strictObject({
    on: z.enum(OCCASIONS),
    /** Only calls whose path names this account; whose books change, where the occasion does not say. */
    account: z.string().optional(),
    /** Once, at the first occasion at or after this instant of the sandbox clock. */
    at: instantText.optional(),
    /** The nth occasion, counted from 1. */
    nth: z.int().positive().optional(),
    every: z.int().positive().optional(),
    everyMinutes: z.number().positive().optional(),
    probability: z.number().min(0).max(1).optional(),
    /** At most so often. */
    times: z.int().positive().optional(),
    fault: FAULT,
  })
  .refine((rule) => rule.on !== 'clock' || rule.at !== undefined || rule.everyMinutes !== undefined, {
    message: "a rule on 'clock' needs `at` or `everyMinutes`",
  });
export type Rule = z.infer<typeof RULE>;

export const FAULT_SCRIPT = z.strictObject({
  seed: z.int().min(0).max(4_294_967_295).default(1),
  rules: z.array(RULE).max(200).default([]),
  /** The daily interruption 23:45 to 00:45 New York time and the one at the weekend, on the sandbox clock. */
  resets: z.boolean().default(false),
  /** Answers 429 to a user who exceeds the published limits, and puts that user in the penalty box for ten minutes. */
  limits: z.boolean().default(false),
});
export type FaultScript = z.infer<typeof FAULT_SCRIPT>;
