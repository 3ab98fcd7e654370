import { z } from 'zod';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

/** The end of a sentence: 'prices look wrong'. A full stop at its end is taken off. */
export const reason = z
  .string('Give a reason')
  .trim()
  .transform((text) => text.replace(/\.+$/, '').trim())
  .pipe(z.string().min(3, 'Give a reason of at least three letters').max(300, 'At most 300 characters'));

const adjustmentProposal = z
  .object({
    id: z.string(),
    /** adjustment: of the books of one deployment. external: an external trade, which belongs to no deployment. */
    closes_as: z.enum(['adjustment', 'external']),
    /** Null for an entry in suspense, like the next two. */
    deployment: z.string().nullable(),
    client: z.string().nullable(),
    strategy_name: z.string().nullable(),
    symbol: z.string(),
    /** The booked execution that is reversed; null when none is. */
    replaces: z.object({ id: z.string(), quantity: z.number(), price: z.number() }).nullable(),
    /** Signed: what is booked, or counts as an external trade. */
    quantity: z.number(),
    /** In the quote currency; null when nothing is booked. */
    price: z.number().nullable(),
    currency: z.string().nullable(),
    /** Dollars. */
    commission: z.number(),
    reason: z.string(),
    proposed_by: z.string(),
    /** Whether the caller proposed it: then another person approves it. */
    is_own: z.boolean(),
    /** Real time. */
    proposed_at: z.string(),
    /** void: what it answers changed before it was booked. Shown as soon as that happens. */
    status: z.enum(['open', 'approved', 'declined', 'void', 'applied']),
    decided_by: z.string().nullable(),
    decided_at: z.string().nullable(),
    /** Why it was declined or is void, as the end of a sentence. */
    outcome: z.string().nullable(),
  })
  .meta({ id: 'AdjustmentProposal' });

export type AdjustmentProposal = z.infer<typeof adjustmentProposal>;

export const bookDifference = z
  .object({
    id: z.string(),
    /**
     * unexplained: the broker's position differs from our books and known trades. external_trade: units that our
     * deployments hold were sold, or bought back, outside the product. shortfall: the account is short of what its
     * broker took back.
     */
    kind: z.enum(['unexplained', 'external_trade', 'shortfall']),
    account: z.string(),
    broker_name: z.string(),
    /** E-mails of those who trade this account. */
    clients: z.array(z.string()),
    symbol: z.string(),
    /** Signed: of all deployments of the account together. */
    our_quantity: z.number(),
    /** Signed: traded there externally, as the broker reported. */
    external_quantity: z.number(),
    /** Signed: the account's position at the broker. */
    broker_quantity: z.number(),
    /** Signed: what our books would add to close it; for a shortfall, what the account is short of. */
    quantity: z.number(),
    /** For external trades: the average price of the latest trades behind it; null when unknown. */
    price: z.number().nullable(),
    /** Market time of the latest of these trades. */
    traded_at: z.string().nullable(),
    /** Real time. */
    since: z.string(),
    /** Whether exits wait because of it; a sentence gives the other effects meanwhile. */
    blocks_exits: z.boolean(),
    effect: z.string(),
    /** Exits of this instrument in this account that have not left. */
    exits_waiting: z.number(),
    /** The newest adjustment proposed for it; null when there is none. */
    proposal: adjustmentProposal.nullable(),
  })
  .meta({ id: 'PositionBreak' });

export type PositionBreak = z.infer<typeof bookDifference>;

export const heldExecution = z
  .object({
    id: z.string(),
    account: z.string(),
    broker_name: z.string(),
    client: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: z.number(),
    price: z.number(),
    broker_order_id: z.string(),
    /** Market time. */
    executed_at: z.string(),
    /** Real time. */
    received_at: z.string(),
    /** Why it is not booked, as the end of a sentence. */
    held_because: z.string(),
    /** The newest adjustment proposed for it; null when there is none. */
    proposal: adjustmentProposal.nullable(),
  })
  .meta({ id: 'HeldExecution' });

export type HeldExecution = z.infer<typeof heldExecution>;

const adjustmentChoices = z
  .object({
    symbol: z.string(),
    /** Null where the catalogue does not hold the instrument: then it can only be in suspense. */
    currency: z.string().nullable(),
    /** Those that trade the account, each with its position in the instrument. */
    deployments: z.array(
      z.object({ id: z.string(), client: z.string(), strategy_name: z.string(), quantity: z.number() }),
    ),
    /** Booked executions of the instrument in this account, newest first, without reversed ones. */
    booked: z.array(
      z.object({
        id: z.string(),
        deployment: z.string(),
        quantity: z.number(),
        price: z.number(),
        /** Dollars. */
        commission: z.number(),
        /** Market time. */
        executed_at: z.string(),
      }),
    ),
    /** The booked execution that the held one changes or takes back. */
    replaces: z.string().nullable(),
    /** What closes the difference, what was traded externally, or the quantity of the held execution. Signed. */
    quantity: z.number(),
    price: z.number().nullable(),
    commission: z.number(),
    /** Why it cannot be put into suspense; null when it can. */
    external_refusal: z.string().nullable(),
  })
  .meta({ id: 'AdjustmentChoices' });

export type AdjustmentChoices = z.infer<typeof adjustmentChoices>;

/** A difference by its id, or an execution by its account and its id there. */
const answers = z.union(
  [
    z.object({ difference: z.string().min(1).max(100) }),
    z.object({ account: z.string().min(1).max(100), execution: z.string().min(1).max(200) }),
  ],
  'Name a break, or an execution and its account',
);

/** What one quantity can hold. */
const UNITS_MAX = 90_000_000;
const PRICE_MAX = 1_000_000_000;
const TOO_MANY = 'A position has 90 million units at most';
const DOLLARS_MAX = 1_000_000;

const proposeBody = z
  .discriminatedUnion(
    'closes_as',
    [
      z.object({
        closes_as: z.literal('adjustment'),
        answers,
        deployment: z.string('Choose a deployment').min(1, 'Choose a deployment').max(100),
        quantity: z.number('Enter the units').min(-UNITS_MAX, TOO_MANY).max(UNITS_MAX, TOO_MANY),
        price: z
          .number('Enter a price')
          .positive('The price must be above zero')
          .max(PRICE_MAX, 'The price is too high')
          .nullable()
          .default(null),
        commission: z
          .number('Enter an amount in dollars')
          .min(-DOLLARS_MAX, 'The amount is too high')
          .max(DOLLARS_MAX, 'The amount is too high')
          .default(0),
        replaces: z.string().min(1).max(200).nullable().default(null),
        reason,
      }),
      z.object({ closes_as: z.literal('external'), answers, reason }),
    ],
    'Choose adjustment or external',
  )
  .meta({ id: 'ProposeAdjustmentRequest' });

const decideBody = z
  .discriminatedUnion('decision', [
    z.object({ decision: z.literal('approve') }),
    z.object({ decision: z.literal('decline'), reason }),
  ])
  .meta({ id: 'DecideAdjustmentRequest' });

export const FOR_STAFF = 'For support staff; anyone else gets 404.';

export const adjustmentEndpoints = {
  getAdjustmentChoices: endpoint(ROUTES.getAdjustmentChoices, {
    room: 'operations',
    summary: 'Options for resolving a break or an unmatched fill',
    description: `The deployments it may belong to, the booked executions it may replace, and the quantity that would close it. ${FOR_STAFF}`,
    security: 'bearer',
    query: z.object({
      difference: z.string().max(100).optional().describe('The ID of a break; otherwise give the next two.'),
      account: z.string().max(100).optional().describe('The brokerage account of an unmatched fill.'),
      execution: z.string().max(200).optional().describe('The execution ID of an unmatched fill.'),
    }),
    status: 200,
    answer: adjustmentChoices,
    refusals: ['not_found', 'already_decided'],
  }),
  proposeAdjustment: endpoint(ROUTES.proposeAdjustment, {
    room: 'operations',
    summary: 'Propose a resolution of a break or an unmatched fill',
    description: `As an adjustment of one deployment's books, or as external. Nothing changes until a second member of support approves. quantity is signed; zero only reverses an execution. replaces names the booked execution to reverse. ${FOR_STAFF}`,
    security: 'bearer',
    body: proposeBody,
    status: 201,
    answer: adjustmentProposal,
    refusals: ['not_found', 'already_decided', 'already_exists'],
    idempotent: true,
  }),
  decideAdjustment: endpoint(ROUTES.decideAdjustment, {
    room: 'operations',
    summary: 'Approve or decline a proposed adjustment',
    description: `Once a second person approves, the trader books it at its next check, when no other order of the instrument is at the broker. If the situation has changed by then, it becomes void. Its proposer may withdraw it. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: decideBody,
    status: 200,
    answer: adjustmentProposal,
    refusals: ['not_found', 'forbidden', 'already_decided'],
    idempotent: true,
  }),
} as const;
