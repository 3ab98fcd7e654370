import { movementOf } from '#engine/cash/cash-decision.ts';
import { setAgreementDeadline } from '#records/agreements/agreement-deadlines.ts';
import { insertCashMovement } from '#records/cash/cash-breaks.ts';
import { endCashBreak, explainInStatements } from '#records/cash/cash-statements.ts';
import { decideRequest, lockOpenRequest } from '#records/deployments/liquidation-requests.ts';
import { resolveOrder } from '#records/execution/order-resolutions.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { endIncident } from '#records/incidents/incidents.ts';
import { liftKillSwitch, widenKillSwitch } from '#records/operations/kill-switches.ts';
import { type Proposal, voidProposals } from '#records/operations/proposals.ts';
import { agreeRefund } from '#records/payments/refunds.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { insertFigureSwitch } from '#records/suitability/figure-switches.ts';
import { addNextVersion } from '#records/strategies/next-version.ts';
import {
  lockDraft,
  setStrategyStatus,
  type StrategyDraft,
} from '#records/strategy-builder/strategy-drafts.ts';
import { parseAudience } from '#rules/eligibility/figures-audience.ts';
import type { PromptAction } from '#rules/operations/proposal-action.ts';
import type { BrokerAccountId, OrderId, StrategyId, UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import type { Staff } from '../../http/call.ts';
import { tellFollowers } from './tell-followers.ts';
import { retire } from './retire-strategy.ts';
import { pauseUnpaid } from '../unpaid/pause-unpaid.ts';

type Approval = {
  /** The second person. */
  readonly by: Staff;
  /** Real clock. */
  readonly now: Instant;
  readonly marketAt: Instant | null;
};

/** In the transaction of the approval, which holds the lock of the subject and has looked at it. */
export function carryOut(
  trx: Transaction,
  proposal: Proposal & { readonly action: PromptAction },
  approval: Approval,
): Promise<void> {
  return DEEDS[proposal.action](trx, proposal, approval);
}

type Deed = (trx: Transaction, proposal: Proposal, approval: Approval) => Promise<void>;

const DEEDS: Readonly<Record<PromptAction, Deed>> = {
  explain_cash: async (trx, { id, accountId, amount, cause }, { now, marketAt }) => {
    const account = accountId as BrokerAccountId;
    const movement = cause === null || amount === null ? null : movementOf(cause, amount);
    if (movement === null) throw new Error('an approved explanation of cash moves nothing');
    await insertCashMovement(trx, account, { ...movement, reference: `decision:${id}`, at: marketAt ?? now });
    await explainInStatements(trx, account, movement);
    await endCashBreak(trx, account);
    const incident = { kind: 'cash_unexplained', subject: account } as const;
    await endIncident(trx, incident, { how: 'cleared', at: wallInstantOf(now) });
  },
  lift_halt: async (trx, { subject }, { by }) => {
    await voidProposals(trx, { action: 'cancel_orders', subject });
    await liftKillSwitch(trx, { id: subject, by: by.email });
  },
  cancel_orders: (trx, { subject }) => widenKillSwitch(trx, subject),
  liquidate: async (trx, { subject }, { by, now }) => {
    const request = await lockOpenRequest(trx, subject);
    if (request === undefined) throw new Error('an approved request to liquidate is not open');
    await decideRequest(trx, request, { status: 'approved', reason: null, by: by.id, at: now });
  },
  resolve_order: (trx, { subject, brokerOrderId, because }, { by }) =>
    resolveOrder(trx, { orderId: subject as OrderId, brokerOrderId, because, decidedBy: by.email }),
  close_unpaid: (trx, { subject, because }, { now, marketAt }) =>
    pauseUnpaid(trx, subject as UserId, { because, at: marketAt ?? now }),
  refund: (trx, { id, subject, amount, because }, { now }) => {
    if (amount === null) throw new Error('an approved refund gives nothing back');
    return agreeRefund(trx, { id, chargeId: subject, amount, because, agreedAt: now });
  },
  publish: async (trx, { id, subject }, approval) => {
    const draft = await lockDraft(trx, subject);
    if (draft === undefined) throw new Error('an approved publication is of nothing');
    if (draft.replaces === null) await setStrategyStatus(trx, draft.id, 'published');
    else
      await publishNextVersion(trx, { ...draft, replaces: draft.replaces }, { ...approval, proposalId: id });
  },
  retire: (trx, proposal, approval) => retire(trx, proposal, approval),
  hide_figures: (trx, { subject }) => switchFigures(trx, subject, false),
  show_figures: (trx, { subject }) => switchFigures(trx, subject, true),
  require_signature: async (trx, { subject: version, until }) => {
    if (until === null) throw new Error('an agreed deadline has no day');
    await setAgreementDeadline(trx, version, until);
  },
};

/** Deployments that run keep their version. The result is renewed at once, with the provider’s fee. */
async function publishNextVersion(
  trx: Transaction,
  draft: StrategyDraft & { readonly replaces: StrategyId },
  { now, marketAt, proposalId }: Approval & { readonly proposalId: string },
): Promise<void> {
  const at = marketAt ?? now;
  const { versionId, number } = await addNextVersion(trx, draft, {
    target: draft.replaces,
    proposalId,
    at,
  });
  await sendJobs(trx, 'result-renewals', [
    { data: { versionId, work: 'renew' }, key: `renew ${versionId}`, priority: 1 },
  ]);
  await tellFollowers(trx, draft.replaces, {
    factsFor: (follower) => ({ kind: 'strategy_changed', ...follower, next: number }),
    cause: `strategy_changed:${versionId}`,
    at,
  });
}

async function switchFigures(trx: Transaction, subject: string, isShown: boolean): Promise<void> {
  const audience = parseAudience(subject);
  if (audience === null) throw new Error('an agreed switch of figures is about nobody');
  await insertFigureSwitch(trx, { ...audience, isShown });
}
