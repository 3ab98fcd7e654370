import { z } from 'zod';
import { FLOW_KINDS, FLOW_STATUSES } from '#engine/execution/flows/flow.ts';
import { PERSON_REFUSALS } from './deploying-refusals.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

const flow = z
  .object({
    id: z.string(),
    /** deposit: free cash of the account becomes cash of the deployment. withdrawal: the reverse. */
    kind: z.enum(FLOW_KINDS),
    /** The last three are final. */
    status: z.enum(FLOW_STATUSES),
    /** Dollars that were asked for. */
    amount: z.number(),
    /** Dollars that moved: less than was asked for where no more was freed. Null until it is done. */
    moved: z.number().nullable(),
    /** Why it waits, or was refused, as a sentence. */
    reason: z.string().nullable(),
    /** Market time, these two. */
    requested_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'DeploymentFlow' });

export type DeploymentFlow = z.infer<typeof flow>;

const terms = z.object({
  /** Dollars that a request moves at least. */
  least: z.number(),
  /** Of the strategy, in dollars: a withdrawal leaves at least as much. */
  minimum: z.number(),
  /** Cash of the brokerage account that no deployment claims, in dollars; null while the broker has not reported it, and in practice. */
  account_free: z.number().nullable(),
  /** About how many dollars of the deployment are free now; more has to be sold for. */
  free_now: z.number(),
  /** Dollars that can be withdrawn at most. */
  withdrawable: z.number(),
  /** Why nothing can be added, or withdrawn, now; null when it can. */
  cannot_add: z.string().nullable(),
  cannot_withdraw: z.string().nullable(),
});

export type FlowTerms = z.infer<typeof terms>;

const requestBody = z
  .object({
    kind: z.enum(FLOW_KINDS, 'Choose deposit or withdrawal'),
    amount: z
      .number('Enter the amount in dollars')
      .positive('The amount must be above zero')
      .max(1_000_000_000, 'The amount is too high'),
  })
  .meta({ id: 'DeploymentFlowRequest' });

export const flowsEndpoints = {
  listFlows: endpoint(ROUTES.listFlows, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'Money added to a deployment and withdrawn from it, newest first, and what can move now',
    description:
      'Nothing moves at the broker: what is withdrawn is free cash of the account. Neither changes the return, and no fee is charged on it.',
    answer: z.object({ results: z.array(flow), terms }).meta({ id: 'DeploymentFlows' }),
  }),
  requestFlow: endpoint(ROUTES.requestFlow, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'Add money to a deployment, or withdraw some',
    description:
      'The trader carries it out at its next look. A deposit needs free cash of the account and every check of a new deployment; where the strategy is full, it waits in a queue. A withdrawal of more than is free waits until positions are reduced, seven days at most; then what is free leaves. One request at a time.',
    confirms: 'second factor',
    body: requestBody,
    status: 201,
    answer: flow,
    refusals: [
      'not_found',
      'illegal_move',
      'below_minimum',
      'out_of_range',
      ...PERSON_REFUSALS,
      'strategy_unavailable',
      'connection_inactive',
      'market_unsupported',
      'insufficient_cash',
      'plan_limit',
    ],
    idempotent: true,
  }),
  cancelFlow: endpoint(ROUTES.cancelFlow, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'Cancel a request to add or withdraw money that has not been carried out',
    description:
      'Nothing has moved. Positions that were reduced for it are built up again with the next orders.',
    params: idParams.extend({ flow: z.string().max(100).describe('The request, as the list names it.') }),
    answer: flow,
    refusals: ['not_found', 'already_decided'],
  }),
} as const;
