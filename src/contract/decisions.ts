import { z } from 'zod';
import { CHECK_RESULTS, DECISION_CHECKS } from '#engine/decision/checks.ts';
import { REFUSAL_CODES } from '#engine/order/order.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { trade } from './trade.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

/** What was not ordered, or not in full. */
const refusedTicker = z.object({
  ticker: z.string(),
  code: z.enum(REFUSAL_CODES),
  /** A whole sentence about the ticker, which it does not name. */
  reason: z.string(),
});

const timelineEntry = z
  .object({
    /** Names the entry when the next page is asked for. */
    id: z.string(),
    /** Trading clock. */
    at: z.string(),
    /** decision: on the strategy's target. exit: a stop loss, a margin call or the end of the deployment. notice: all else. */
    kind: z.enum(['decision', 'exit', 'notice']),
    title: z.string(),
    /** A sentence or two; empty where the title says it all. */
    text: z.string(),
    /** The id of the decision, for its receipt; null for what has none. */
    decision: z.string().nullable(),
    /** The close that the strategy decided at; null for what is not its decision. */
    as_of: z.string().nullable(),
    /** With their fills. */
    orders: z.array(trade),
    refused: z.array(refusedTicker),
  })
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.infer<typeof timelineEntry>;

const timeline = z
  .object({
    /** Newest first. */
    entries: z.array(timelineEntry),
    /** What to send as `before` for older ones; null when there are none. */
    next: z.string().nullable(),
  })
  .meta({ id: 'DeploymentTimeline' });

const decidedInstrument = z
  .object({
    ticker: z.string(),
    /** Percent of equity, signed: what the strategy wanted before, and what it wants now. */
    before_percent: z.number(),
    asked_percent: z.number(),
    /** What your limits left of it; null where it was not sized. */
    allowed_percent: z.number().nullable(),
    /** Units, signed: held before, and wanted; null where it was not sized. */
    held: z.number(),
    desired: z.number().nullable(),
    /** In the quote currency. */
    price: z.number().nullable(),
    /** Why, a sentence each. */
    reasons: z.array(z.object({ code: z.string(), text: z.string() })),
    /** The numbers that the rules read at that close. */
    features: z.array(z.object({ name: z.string(), text: z.string(), value: z.number().nullable() })),
    checks: z.array(
      z.object({
        check: z.enum(DECISION_CHECKS),
        text: z.string(),
        result: z.enum(CHECK_RESULTS),
        code: z.enum(REFUSAL_CODES).nullable(),
        /** Why it was not simply passed; null where it was. */
        reason: z.string().nullable(),
      }),
    ),
    /** What was ordered at that moment; null with the reason in the checks, or because nothing was left to trade. */
    order: z
      .object({
        side: z.enum(['buy', 'sell']),
        quantity: z.number(),
        limit_price: z.number(),
        client_order_id: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'DecidedInstrument' });

export type DecidedInstrument = z.infer<typeof decidedInstrument>;

const decisionReceipt = z
  .object({
    id: z.string(),
    /** Trading clock: when this deployment decided. */
    at: z.string(),
    /** The close that the strategy decided at. */
    as_of: z.string(),
    strategy_name: z.string(),
    title: z.string(),
    /** Dollars, before the decision. */
    cash: z.number(),
    /** When its orders left, as the rotation among those who follow the strategy has it; null where nothing was ordered. */
    rotation: z
      .object({
        /** Of the version: 1 is the first signal. */
        turn: z.number().int(),
        /** How much of the ring came before its account, in percent. */
        before_percent: z.number(),
        note: z.string(),
      })
      .nullable(),
    instruments: z.array(decidedInstrument),
  })
  .meta({ id: 'DecisionReceipt' });

export type DecisionReceipt = z.infer<typeof decisionReceipt>;

/** As recorded, for the engine: see docs/developers. Money is whole 1e-6, quantities are whole 1e-8. */
const decisionInputs = z
  .object({
    /** The hash of the engine that evaluated; null where it was not stated. */
    engine: z.string().nullable(),
    definition: z.looseObject({}),
    /** UTC milliseconds. */
    as_of: z.number(),
    target: z.object({
      id: z.string(),
      hash: z.string(),
      weights: z.array(z.object({ symbol: z.string(), weight: z.number() })),
      receipt: z.looseObject({ instruments: z.array(z.looseObject({})) }),
    }),
    deployment: z.string(),
    /** UTC milliseconds. */
    at: z.number(),
    record: z.looseObject({}),
    orders: z.array(z.looseObject({})),
    refusals: z.array(z.looseObject({})),
    instruments: z.array(z.looseObject({})),
  })
  .meta({ id: 'DecisionInputs' });

export type DecisionInputs = z.infer<typeof decisionInputs>;

const nextDecision = z
  .object({
    /** When the strategy next decides, by the trading clock; null when this deployment follows no further decision. */
    at: z.string().nullable(),
    /** A sentence: what it would order if prices stayed as they are, or why that cannot be known before. */
    text: z.string(),
    /** Likely orders at the prices of as_of; null where they cannot be known yet. */
    likely: z
      .array(z.object({ ticker: z.string(), side: z.enum(['buy', 'sell']), quantity: z.number() }))
      .nullable(),
    /** The market time of the prices; null where none were used. */
    as_of: z.string().nullable(),
  })
  .meta({ id: 'NextDecision' });

export type NextDecision = z.infer<typeof nextDecision>;

const decisionParams = idParams.extend({
  decision: z.string().max(40).describe('The decision, as the timeline names it.'),
});

export const decisionsEndpoints = {
  listDeploymentDecisions: endpoint(ROUTES.listDeploymentDecisions, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'The timeline: each decision with its orders and fills, and what else happened, newest first',
    description:
      'A decision has all orders of its target, also those that waited for sales, and the reason for each that was not made.',
    query: z.object({
      before: z
        .string()
        .max(80)
        .regex(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z~[\w-]+$/, 'Send `next` of the page before')
        .refine((place) => !Number.isNaN(Date.parse(place.split('~')[0]!)), 'Send `next` of the page before')
        .optional()
        .describe('Older than this entry: `next` of the page before.'),
      limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many.'),
    }),
    answer: timeline,
  }),
  getDeploymentDecision: endpoint(ROUTES.getDeploymentDecision, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'The receipt of one decision: reasons, sizes, checks and orders',
    description:
      'What the strategy read and wanted, how each position was sized, and each check. Of decisions made before receipts were kept there is none.',
    params: decisionParams,
    answer: decisionReceipt,
  }),
  getDecisionInputs: endpoint(ROUTES.getDecisionInputs, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'What a decision was made from, to make it again',
    description:
      'The definition, the recorded target and the state of the deployment, as the engine reads them. With the bars of the same decision the engine gives the same target, sizes and orders.',
    params: decisionParams,
    answer: decisionInputs,
  }),
  getDecisionBars: endpoint(ROUTES.getDecisionBars, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'The bars that the strategy read for a decision, as binary columns',
    description: 'All bars closed by then, in the format of the bars behind a published result.',
    params: decisionParams,
    answer: z.string(),
    media: 'application/octet-stream',
  }),
  getNextDecision: endpoint(ROUTES.getNextDecision, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'When the strategy next decides, and what it would likely order',
    description:
      'Computed by the engine from the bars so far and the newest prices, as if the market closed at them. The strategy of a model is scored at the close only.',
    answer: nextDecision,
    refusals: ['not_found'],
  }),
} as const;
