import { z } from 'zod';
import { CASH_CAUSES } from '#engine/cash/cash-decision.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { reason } from './adjustments.ts';
import { named } from './incident-subjects.ts';
import { proposal } from './proposal.ts';

const DOLLARS_MAX = 1_000_000;
/** Support may retype what follows of the client order ID before it says what became of an order. */
const confirmation = z.string('Enter the last six characters of the client order ID').trim().max(200);
const about = (what: string) => ({ subject: z.string(`Name ${what}`).min(1).max(100), reason });

const proposeBody = z
  .discriminatedUnion(
    'action',
    [
      z.object({ action: z.literal('ignore_row'), ...named }),
      z.object({ action: z.literal('release'), ...named }),
      z.object({ action: z.literal('rebuild_books'), ...named }),
      z.object({
        action: z.literal('state_commission'),
        ...named,
        commission: z
          .number('Enter an amount in dollars')
          .min(-DOLLARS_MAX, 'The amount is too high')
          .max(DOLLARS_MAX, 'The amount is too high'),
      }),
      z.object({ action: z.literal('acknowledge'), ...named, until: z.iso.date('Enter a date') }),
      z.object({
        action: z.literal('explain_cash'),
        ...about('a cash difference'),
        cause: z.enum(CASH_CAUSES, 'Choose what moved the cash'),
      }),
      z.object({ action: z.literal('lift_halt'), ...about('a halt') }),
      z.object({ action: z.literal('cancel_orders'), ...about('a halt') }),
      z.object({ action: z.literal('liquidate'), ...about('a request') }),
      z.object({
        action: z.literal('resolve_order'),
        ...about('an unconfirmed order'),
        broker_order_id: z
          .string('Enter the broker’s order ID, or null where it never arrived')
          .trim()
          .min(1)
          .max(100)
          .nullable(),
        confirmation,
      }),
      z.object({ action: z.literal('close_unpaid'), ...about('a client') }),
      z.object({
        action: z.literal('refund'),
        ...about('a payment'),
        amount: z
          .number('Enter an amount in dollars')
          .min(0.01, 'Enter an amount above zero')
          .max(DOLLARS_MAX, 'The amount is too high'),
      }),
      z.object({ action: z.literal('publish'), ...about('a strategy') }),
      z.object({
        action: z.literal('retire'),
        ...about('a strategy'),
        until: z.iso.date('Enter a date').nullish(),
      }),
      z.object({ action: z.literal('hide_figures'), ...about('an audience') }),
      z.object({ action: z.literal('show_figures'), ...about('an audience') }),
      z.object({
        action: z.literal('require_signature'),
        ...about('a version of the agreement'),
        until: z.iso.date('Enter a date'),
      }),
    ],
    'Choose what to propose',
  )
  .meta({ id: 'ProposeRequest' });

const decideBody = z
  .discriminatedUnion('decision', [
    /** A reason with publish alone: what the second person looked at. */
    z.object({ decision: z.literal('approve'), reason: reason.optional() }),
    z.object({ decision: z.literal('decline'), reason }),
  ])
  .meta({ id: 'DecideProposalRequest' });

const FOR_EITHER =
  'publish, retire, hide_figures and show_figures are for staff of the provider, everything else for support; anyone else gets 404.';

export const proposalEndpoints = {
  listProposals: endpoint(ROUTES.listProposals, {
    room: 'operations',
    summary: 'What waits for a second person, or is agreed and not carried out',
    description: `The newest first. ${FOR_EITHER}`,
    security: 'bearer',
    status: 200,
    answer: z.array(proposal),
    refusals: ['not_found'],
  }),
  propose: endpoint(ROUTES.propose, {
    room: 'operations',
    summary: 'Propose what takes two people',
    description: `subject is an ID of the desk, of an order, or a strategy. For what an incident is about, account, subject and seen are those of the desk: seen names the state that you looked at, and a later one is refused. until is a date: the acknowledgement ends as it begins, in UTC. require_signature names the newest version of the agreement and, as until, the day by which everybody must have signed it. The reason of close_unpaid and refund is shown to the client. retire names, as until, the day of the market after whose close its deployments end; without one they go on. hide_figures and show_figures name an audience of the catalogue. resolve_order takes the last six characters of the client order ID as confirmation. publish needs a result, an attack on these very rules and, unless its verdict is withstood, the author’s acceptance of it by name. Nothing changes until a second person approves. ${FOR_EITHER}`,
    security: 'bearer',
    body: proposeBody,
    status: 201,
    answer: proposal,
    refusals: ['not_found', 'already_decided', 'already_exists', 'in_use', 'out_of_range', 'illegal_move'],
    idempotent: true,
  }),
  decideProposal: endpoint(ROUTES.decideProposal, {
    confirms: 'second factor',
    room: 'operations',
    summary: 'Approve or decline a proposal',
    description: `Approved by a second person, it counts at once; what is about an incident, the trader carries out at its next look. If what it is about has changed, it becomes void. Approving publish takes a reason, what you looked at, which is recorded as its outcome. Its proposer may withdraw it. ${FOR_EITHER}`,
    security: 'bearer',
    params: idParams,
    body: decideBody,
    status: 200,
    answer: proposal,
    refusals: ['not_found', 'forbidden', 'already_decided', 'in_use', 'out_of_range', 'illegal_move'],
    idempotent: true,
  }),
} as const;
