import { randomUUID } from 'node:crypto';
import type { ParsedBody } from '#contract/http/endpoint.ts';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { insertProposal, type Proposal, voidOutdated } from '#records/adjustments/adjustments.ts';
import { listProposals } from '#records/adjustments/adjustment-cases.ts';
import { type AdjustmentRequest, adjustmentProblem } from '#rules/operations/adjustment-problem.ts';
import type { ExecutionId } from '#units/identifiers.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { findOccasion, type Occasion } from './adjustment-occasion.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import { showProposal } from './show-proposal.ts';

type Body = ParsedBody<typeof operationsEndpoints.proposeAdjustment>;

/** Locks the difference while writing, so that the proposal matches its state at that moment. */
export const proposeAdjustment: Call<typeof operationsEndpoints.proposeAdjustment> = async (
  { body, request, repetitionId },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const id = repetitionId ?? randomUUID();
  const [before] = await listProposals(database, { id });
  if (before !== undefined) return showProposal(before, support);
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const replaces = body.closes_as === 'adjustment' ? body.replaces : null;
    const occasion = await findOccasion(trx, body.answers, replaces);
    if (occasion === undefined) return notFound();
    if (!occasion.isOpen) return refuse('already_decided', 'There is nothing left to resolve.');
    const proposal = proposalOf(id, body, occasion);
    if ('message' in proposal) return refuse('invalid_field', proposal.message, { field: proposal.field });
    await voidOutdated(trx, proposal);
    return (await insertProposal(trx, proposal, support.id)) === 'proposed'
      ? null
      : refuse('already_exists', 'There is already an open proposal for this. Decide that one first.');
  });
  if (refused !== null) return refused;
  const [proposed] = await listProposals(database, { id });
  return proposed === undefined ? notFound() : showProposal(proposed, support);
};

function proposalOf(
  id: string,
  body: Body,
  occasion: Occasion,
): Proposal | { field: string; message: string } {
  const asked = askedOf(body, occasion);
  const problem = adjustmentProblem(asked);
  if (problem !== null) return problem;
  const { answers, accountId, symbol } = occasion;
  const common = { id, answers, accountId, symbol, because: body.reason };
  if (body.closes_as === 'external') {
    const { desk, price, externalUnits: units } = occasion;
    if (desk === undefined)
      return {
        field: 'answers',
        message: 'No deployment trades this account any more, so the trader no longer checks it.',
      };
    return {
      ...common,
      connectionId: desk,
      deploymentId: null,
      undoes: null,
      units,
      price,
      commission: ZERO_MICRO,
    };
  }
  const deployment = occasion.deployments.find((one) => one.id === body.deployment)!;
  return {
    ...common,
    connectionId: deployment.connectionId,
    deploymentId: deployment.id,
    undoes: body.replaces as ExecutionId | null,
    units: asked.units,
    price: asked.units === 0 ? null : body.price,
    commission: asked.units === 0 ? ZERO_MICRO : toMicro(body.commission),
  };
}

function askedOf(
  body: Body,
  { rule, symbol, isInCatalogue, deployments, booked }: Occasion,
): AdjustmentRequest {
  const of = { answers: rule, closesAs: body.closes_as, symbol, isInCatalogue };
  if (body.closes_as === 'external')
    return { ...of, units: ZERO_QUANTITY, hasPrice: false, undoes: null, deployment: null };
  const undone = booked.find((one) => one.id === body.replaces && one.deploymentId === body.deployment);
  return {
    ...of,
    units: toQuantity(body.quantity),
    hasPrice: body.price !== null,
    undoes: body.replaces === null ? null : (undone ?? 'unknown'),
    deployment: deployments.find((one) => one.id === body.deployment) ?? null,
  };
}
