import { movementOf } from '#engine/cash/cash-decision.ts';
import { commandRefusal } from '#engine/lifecycle/apply-command.ts';
import { accountOfBreak } from '#records/cash/cash-breaks.ts';
import { findCashBreak, lockAccountCash } from '#records/cash/cash-statements.ts';
import { findDecided, lockOpenRequest } from '#records/deployments/liquidation-requests.ts';
import { findUnpaidClient } from '#records/fees/unpaid-clients.ts';
import { isOrderOfOthers } from '#records/execution/order-resolutions.ts';
import { lockOrderToDecide } from '#records/execution/unconfirmed-orders.ts';
import { findPresentSubject } from '#records/incidents/incident-subjects.ts';
import { lockCharge } from '#records/payments/charges.ts';
import { readChargedBack } from '#records/payments/chargebacks.ts';
import { readRefunded } from '#records/payments/refunds.ts';
import { lockKillSwitch } from '#records/operations/kill-switches.ts';
import { lockAgreementDeadline } from '#records/agreements/agreement-deadlines.ts';
import type { Proposal } from '#records/operations/proposals.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { lockCapacity } from '#records/strategies/capacity.ts';
import { lockDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { parseAudience } from '#rules/eligibility/figures-audience.ts';
import { dollars } from '#rules/dollars.ts';
import { isIncidentAction, type PromptAction } from '#rules/operations/proposal-action.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { commandReason } from '#rules/reasons/command-reason.ts';
import { lockFigureSwitches } from '#records/suitability/figure-switches.ts';
import type { StrategyId } from '#units/identifiers.ts';
import { add, subtract } from '#units/money.ts';
import { refuse } from '../../http/refusal.ts';
import { unpaidRefusal } from '../unpaid/unpaid-refusal.ts';
import { findPublication } from './find-publication.ts';
import { refuseProposal } from './refuse-proposal.ts';
import { found, type Subject } from './subject.ts';

type Named = Pick<Proposal, 'action' | 'accountId' | 'subject' | 'amount' | 'cause' | 'brokerOrderId'>;

/** Undefined where there is no such thing. Locks what counts at once, always before its proposal. */
export async function findSubject(trx: Transaction, named: Named): Promise<Subject | undefined> {
  const { action, accountId, subject } = named;
  if (!isIncidentAction(action)) return FINDERS[action](trx, named);
  const present = await findPresentSubject(trx, { action, accountId: accountId ?? '', subject });
  if (present === undefined) return undefined;
  const refusal = present.refusal === null ? null : refuseProposal(present.refusal);
  return { accountId, seen: present.seen, amount: null, author: null, refusal };
}

type Finder = (trx: Transaction, named: Named) => Promise<Subject | undefined>;

const NOTHING_LEFT = refuse('already_decided', 'There is nothing left to resolve.');

const FINDERS: Readonly<Record<PromptAction, Finder>> = {
  explain_cash: async (trx, { subject, cause }) => {
    const accountId = await accountOfBreak(trx, subject);
    if (accountId === undefined) return undefined;
    await lockAccountCash(trx, accountId);
    const open = await findCashBreak(trx, accountId);
    if (open?.id !== subject) return { ...found('explained', NOTHING_LEFT), accountId };
    const amount = open.unexplained;
    const way = amount > 0 ? 'brings money in' : 'takes money out';
    const fits = cause !== null && movementOf(cause, amount) !== null;
    const refusal = fits
      ? null
      : refuse('invalid_field', `Choose something that ${way}.`, { field: 'cause' });
    return { accountId, seen: String(amount), amount, author: null, refusal };
  },
  lift_halt: async (trx, { subject }) => {
    const halt = await lockKillSwitch(trx, subject);
    return halt && found('on', halt.isOn ? null : refuse('already_decided', 'This halt is lifted already.'));
  },
  cancel_orders: async (trx, { subject }) => {
    const halt = await lockKillSwitch(trx, subject);
    if (halt?.isOn === false) return found('on', refuse('already_decided', 'This halt is lifted already.'));
    const said = 'Open orders are cancelled already.';
    return halt && found('on', halt.cancelsWorking ? refuse('already_decided', said) : null);
  },
  liquidate: async (trx, { subject }) => {
    const request = await lockOpenRequest(trx, subject);
    if (request === undefined)
      return (
        (await findDecided(trx, subject)) &&
        found('decided', refuse('already_decided', 'It is decided already.'))
      );
    const refusal = commandRefusal('liquidate', request.status);
    if (refusal === null) return found('open', null);
    const said = `It cannot be liquidated now: ${commandReason(refusal)} Decline the request.`;
    return found('open', refuse('illegal_move', said));
  },
  resolve_order: async (trx, { subject, brokerOrderId }) => {
    const order = await lockOrderToDecide(trx, subject);
    if (order === undefined) return undefined;
    if (!order.isUnresolved) return found(order.status, refuse('already_decided', settledText(order.status)));
    const isTaken =
      brokerOrderId !== null && (await isOrderOfOthers(trx, { orderId: order.id, brokerOrderId }));
    const said = `Broker order ID ${brokerOrderId} belongs to another order of this account.`;
    return found(
      `${order.status} since ${order.since}`,
      isTaken ? refuse('in_use', said, { field: 'broker_order_id' }) : null,
    );
  },
  close_unpaid: async (trx, { subject }) => {
    const client = await findUnpaidClient(trx, subject);
    if (client === undefined) return undefined;
    const refusal = unpaidRefusal(client);
    return found(`${client.oldest?.billId ?? 'nothing'} ${client.owed}`, refusal);
  },
  refund: async (trx, { subject, amount }) => {
    const charge = await lockCharge(trx, subject);
    if (charge?.paid === null || charge === undefined) return undefined;
    const gone = add(await readRefunded(trx, charge.id), await readChargedBack(trx, charge.id));
    const left = subtract(charge.paid, gone);
    const said = `At most ${dollars(left)} can still be given back of this payment.`;
    return found(
      String(left),
      amount !== null && amount > left ? refuse('out_of_range', said, { field: 'amount' }) : null,
    );
  },
  publish: (trx, { subject }) => findPublication(trx, subject),
  hide_figures: (trx, { subject }) => findAudience(trx, subject, false),
  show_figures: (trx, { subject }) => findAudience(trx, subject, true),
  require_signature: async (trx, { subject }) => {
    if (subject !== AGREEMENT_VERSION) return undefined;
    const deadline = await lockAgreementDeadline(trx, subject);
    return found(deadline === null ? 'no day' : deadline.toISOString(), null);
  },
  retire: async (trx, { subject }) => {
    // Before the strategy’s row, as for who asks for room in it.
    await lockCapacity(trx, subject as StrategyId);
    const draft = await lockDraft(trx, subject);
    if (draft === undefined || draft.ownerId !== null) return undefined;
    const isOut = draft.status === 'published';
    return found(
      draft.status,
      isOut ? null : refuse('illegal_move', 'Only a published strategy is retired.'),
    );
  },
};

/** Seen as it stands: whether it is shown to exactly this audience, and by which switch. */
async function findAudience(
  trx: Transaction,
  subject: string,
  isWanted: boolean,
): Promise<Subject | undefined> {
  const audience = parseAudience(subject);
  if (audience === null) return undefined;
  const switches = await lockFigureSwitches(trx);
  const own = switches.find((one) => one.status === audience.status && one.country === audience.country);
  const isShown = own?.isShown ?? true;
  const said = `Their figures are ${isShown ? 'shown' : 'hidden'} already.`;
  return found(`${isShown} ${own?.id ?? 0}`, isShown === isWanted ? refuse('already_decided', said) : null);
}

function settledText(status: string): string {
  return `There is nothing to resolve: this order is now ${STATUS_WORDS[status] ?? status}.`;
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  intended: 'waiting to be sent',
  sending: 'being sent',
  working: 'open at the broker',
};
