import { randomUUID } from 'node:crypto';
import type { ParsedBody } from '#contract/http/endpoint.ts';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findProposal, listStandingProposals } from '#records/operations/proposals.ts';
import { lockOrderToDecide } from '#records/execution/unconfirmed-orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { roleOfAction } from '#rules/operations/proposal-action.ts';
import { toMicro } from '#units/money.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import { makeProposal, UNSAID, type Wanted } from './make-proposal.ts';
import { refuseUntilOf } from './refuse-until.ts';
import { showProposal } from './show-proposal.ts';

export const listProposals: Call<typeof operationsEndpoints.listProposals> = async (
  { request },
  { records },
) => {
  const staff = staffOf(request);
  const standing = await listStandingProposals(records.database);
  return standing
    .filter(({ action }) => roleOfAction(action) === staff.role)
    .map((one) => showProposal(one, staff));
};

export const propose: Call<typeof operationsEndpoints.propose> = async (
  { body, request, repetitionId },
  dependencies,
) => {
  const { database } = dependencies.records;
  const staff = staffOf(request);
  if (roleOfAction(body.action) !== staff.role) return notFound();
  const id = repetitionId ?? randomUUID();
  const before = await findProposal(database, id);
  if (before !== undefined) return showProposal(before, staff);
  const until = 'until' in body && body.until ? parseWallInstant(body.until) : null;
  const untimely = await refuseUntilOf(database, { action: body.action, until, now: dependencies.now() });
  if (untimely !== null) return untimely;
  const refused = await transactAs(staff, dependencies, async (trx) => {
    const unconfirmed = await refuseUnconfirmedOrder(trx, body);
    return unconfirmed ?? makeProposal(trx, { ...wantedOf(body), id, proposedBy: staff.id });
  });
  if (refused !== null) return refused;
  const proposed = await findProposal(database, id);
  return proposed === undefined ? notFound() : showProposal(proposed, staff);
};

type Body = ParsedBody<typeof operationsEndpoints.propose>;

function wantedOf(body: Body): Omit<Wanted, 'id' | 'proposedBy'> {
  const { action, subject, reason: because } = body;
  const wanted = { ...UNSAID, action, subject, because };
  if ('account' in body) {
    return {
      ...wanted,
      accountId: body.account,
      seen: body.seen,
      amount: body.action === 'state_commission' ? toMicro(body.commission) : null,
      until: body.action === 'acknowledge' ? new Date(body.until) : null,
    };
  }
  if (body.action === 'require_signature' || body.action === 'retire')
    return { ...wanted, until: body.until ? new Date(body.until) : null };
  if (body.action === 'explain_cash') return { ...wanted, cause: body.cause };
  if (body.action === 'refund') return { ...wanted, amount: toMicro(body.amount) };
  if (body.action === 'resolve_order') return { ...wanted, brokerOrderId: body.broker_order_id };
  return wanted;
}

/** How many characters of the client order id must be retyped before a word about the order counts. */
const CONFIRMED_SIGNS = 6;

async function refuseUnconfirmedOrder(trx: Transaction, body: Body): Promise<Refused | null> {
  if (body.action !== 'resolve_order') return null;
  const order = await lockOrderToDecide(trx, body.subject);
  if (order === undefined || body.confirmation === order.clientOrderId.slice(-CONFIRMED_SIGNS)) return null;
  const said = `To confirm, enter the last ${CONFIRMED_SIGNS} characters of the client order ID.`;
  return refuse('invalid_field', said, { field: 'confirmation' });
}
