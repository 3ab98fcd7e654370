// A dispute as the vendor has it now: kept, and booked once its bank has decided. What a bank took back is not paid any more: a
// fee is owed again, and a plan ends. Whoever learns of it asks the vendor, and the same state is booked once.
import { randomUUID } from 'node:crypto';
import { giveBackPlan, takeBackPlan } from '#records/billing/charged-back-plan.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { getBillNames } from '#records/fees/charged-back-bill.ts';
import { changeFeePayment } from '#records/fees/unpaid-fees.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { type Chargebacks, insertChargeback, readChargebacks } from '#records/payments/chargebacks.ts';
import {
  findCharge,
  findOpenChargeOfBill,
  findOpenPlanCharge,
  type KeptCharge,
  lockCharge,
} from '#records/payments/charges.ts';
import { type KeptDispute, saveDispute } from '#records/payments/disputes.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { type Dispute, PaymentsUnavailable } from '#ports/payments.ts';
import { FEE_DUE_DAYS } from '#rules/fees/performance-fee.ts';
import { PLAN_TAKEN_BACK } from '#rules/reasons/payment-decline.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { DeploymentId, NotificationId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant, utcDate } from '#units/instant.ts';
import { type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { refundTwicePaid } from './refund-twice-paid.ts';
import { askAboutCharge, type PaymentDependencies } from './settle-charge.ts';

/** Asks the vendor, and again until it still says what was booked: of two who ask at once, neither leaves an older answer. */
export async function settleDispute(id: string, dependencies: PaymentDependencies): Promise<void> {
  let booked: string | null = null;
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const found = await dependencies.payments.findDispute(id);
    if (found.outcome === 'unavailable') throw new PaymentsUnavailable(found.reason);
    const said = `${found.dispute.status} ${found.dispute.amount}`;
    if (said === booked) return;
    await book(found.dispute, dependencies);
    if (found.dispute.status === 'open') return;
    booked = said;
  }
  throw new PaymentsUnavailable(`the dispute ${id} changes while it is asked for`);
}

async function book(dispute: Dispute, dependencies: PaymentDependencies): Promise<void> {
  const { records, payments, now } = dependencies;
  const { reference, why, ...rest } = dispute;
  const charge = reference === null ? undefined : await paidCharge(reference, dispute, dependencies);
  const kept: KeptDispute = {
    ...rest,
    vendor: payments.vendor,
    chargeId: charge?.id ?? null,
    because: why,
  };
  if (charge === undefined || charge.status !== 'paid') {
    await saveDispute(records.database, kept, now());
    return;
  }
  if (charge.purpose === 'plan' && dispute.status === 'lost') await giveUpPlanPayment(charge, dependencies);
  await records.database.transaction().execute(async (trx) => {
    await lockPerson(trx, charge.userId);
    const locked = await lockCharge(trx, charge.id);
    const at = now();
    const status = await saveDispute(trx, kept, at);
    if (locked !== undefined) await bookDecision(trx, { dispute: { ...kept, status }, charge: locked, at });
  });
  if (charge.billId === null || dispute.status === 'lost') return;
  // Paid after all: what is open of it is not asked for any more. Where it is paid meanwhile, it is given back.
  const open = await findOpenChargeOfBill(records.database, charge.billId);
  if (open !== undefined) await askAboutCharge(open, 'give_up', dependencies);
}

/** The vendor may tell of a dispute before we have learnt that its charge was paid. */
async function paidCharge(
  reference: string,
  { status }: Dispute,
  dependencies: PaymentDependencies,
): Promise<KeptCharge | undefined> {
  const { database } = dependencies.records;
  const charge = await findCharge(database, reference);
  if (charge === undefined || charge.status === 'paid') return charge;
  await askAboutCharge(charge, 'learn', dependencies);
  const asked = await findCharge(database, reference);
  if (asked?.status !== 'paid' && status === 'lost')
    throw new PaymentsUnavailable(`a dispute of charge ${reference} is lost, which is not paid yet`);
  return asked;
}

/** It was quoted with days and credit that are gone. */
async function giveUpPlanPayment(
  { userId }: Pick<KeptCharge, 'userId'>,
  dependencies: PaymentDependencies,
): Promise<void> {
  const open = await findOpenPlanCharge(dependencies.records.database, userId);
  if (open === undefined) return;
  if ((await askAboutCharge(open, 'give_up', dependencies)) !== 'ended')
    throw new PaymentsUnavailable('a payment of a plan could not be given up');
}

type Decided = {
  readonly dispute: KeptDispute;
  readonly charge: KeptCharge;
  readonly at: Instant;
};

/** Brings what is booked of the dispute to what the bank decided. Repeated, it changes nothing. */
async function bookDecision(trx: Transaction, { dispute, charge, at }: Decided): Promise<void> {
  if (dispute.status === 'open') return;
  const before = await readChargebacks(trx, { disputeId: dispute.id, chargeId: charge.id });
  const left = subtract(charge.paid ?? ZERO_MICRO, subtract(before.ofCharge, before.ofDispute));
  const gone = dispute.status === 'lost' ? micro(Math.min(dispute.amount, left)) : ZERO_MICRO;
  const change = subtract(gone, before.ofDispute);
  if (change === 0) return;
  const marketAt = (await findHeartbeat(trx, 'trader'))?.marketAt ?? at;
  const changed = { dispute, charge, before, change, at, marketAt };
  await (charge.purpose === 'fee' ? changeFee(trx, changed) : changePlan(trx, changed));
}

type Change = Decided & {
  readonly before: Chargebacks;
  /** Below zero: given back. */
  readonly change: Micro;
  readonly marketAt: Instant;
};

async function changeFee(trx: Transaction, changed: Change): Promise<void> {
  const { charge, change, marketAt } = changed;
  if (charge.billId === null) throw new Error('a charge of a fee names no bill');
  const { deploymentId, strategyName } = await getBillNames(trx, charge.billId);
  const dueAt = change > 0 ? instant(marketAt + FEE_DUE_DAYS * DAY_MS) : null;
  await note(trx, changed, { credit: ZERO_MICRO, dueAt });
  if (dueAt === null) {
    await refundTwicePaid(trx, { billId: charge.billId, at: changed.at });
    return tell(trx, changed, deploymentId, {
      kind: 'payment_counts_again',
      amount: micro(-change),
      strategyName,
      credit: null,
    });
  }
  // Their bank would be asked for the same money again.
  await changeFeePayment(trx, charge.userId, false);
  return tell(trx, changed, deploymentId, {
    kind: 'payment_taken_back',
    amount: change,
    strategyName,
    dueOn: utcDate(dueAt),
    planEnded: false,
  });
}

async function changePlan(trx: Transaction, changed: Change): Promise<void> {
  const { charge, change, before, at } = changed;
  if (change < 0) {
    // As credit: the days that passed meanwhile cannot be given back.
    const credit = before.credit;
    await giveBackPlan(trx, { userId: charge.userId, credit });
    await note(trx, changed, { credit: micro(-credit), dueAt: null });
    const amount = micro(-change);
    return tell(trx, changed, null, { kind: 'payment_counts_again', amount, strategyName: null, credit });
  }
  const { lost, isOver } = await takeBackPlan(trx, {
    paymentId: charge.id,
    userId: charge.userId,
    amount: change,
    now: at,
    why: PLAN_TAKEN_BACK,
  });
  await note(trx, changed, { credit: lost, dueAt: null });
  return tell(trx, changed, null, {
    kind: 'payment_taken_back',
    amount: change,
    strategyName: null,
    dueOn: null,
    planEnded: isOver,
  });
}

function note(
  trx: Transaction,
  { dispute, charge, before, change, at }: Change,
  { credit, dueAt }: { readonly credit: Micro; readonly dueAt: Instant | null },
): Promise<void> {
  const { id: disputeId } = dispute;
  const number = before.number + 1;
  return insertChargeback(trx, { disputeId, number, chargeId: charge.id, amount: change, credit, dueAt, at });
}

async function tell(
  trx: Transaction,
  { dispute, charge, before, marketAt }: Change,
  deploymentId: DeploymentId | null,
  facts: Extract<NoticeFacts, { kind: 'payment_taken_back' | 'payment_counts_again' }>,
): Promise<void> {
  await insertNotifications(trx, [
    {
      id: randomUUID() as string as NotificationId,
      userId: charge.userId,
      deploymentId,
      facts,
      cause: `${facts.kind}:${dispute.id}:${before.number + 1}`,
      at: marketAt,
    },
  ]);
}

const ASKED_MAX = 5;
