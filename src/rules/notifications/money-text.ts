// Notices about what a person pays us: performance fees and plans.
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { longDate } from '../long-date.ts';

export type MoneyFacts =
  | {
      readonly kind: 'fee_billed';
      readonly strategyName: string;
      readonly fee: Micro;
      readonly profit: Micro;
      /** What the profit is above: the high-water mark. */
      readonly above: Micro;
      /** The last day that counts. */
      readonly until: IsoDate;
    }
  /** `profit`: what remains of it above the mark. */
  | {
      readonly kind: 'fee_credited';
      readonly strategyName: string;
      readonly credit: Micro;
      readonly profit: Micro;
    }
  /** `because`: the end of a sentence, in the words of our support. */
  | { readonly kind: 'payment_refunded'; readonly amount: Micro; readonly because: string }
  /** By the bank of its payer. A fee is named by its strategy and due again; of a plan both are null. */
  | {
      readonly kind: 'payment_taken_back';
      readonly amount: Micro;
      readonly strategyName: string | null;
      readonly dueOn: IsoDate | null;
      readonly planEnded: boolean;
    }
  /** The bank gave it back after all: of a plan as credit. */
  | {
      readonly kind: 'payment_counts_again';
      readonly amount: Micro;
      readonly strategyName: string | null;
      readonly credit: Micro | null;
    }
  | { readonly kind: 'fee_declined'; readonly strategyName: string; readonly owed: Micro }
  | {
      readonly kind: 'fee_unpaid';
      readonly strategyName: string;
      readonly owed: Micro;
      readonly stage: 'overdue' | 'reminded' | 'stopped' | 'closable';
      readonly dueOn: IsoDate;
      readonly stopsOn: IsoDate;
    };
type PaymentFacts = Extract<
  MoneyFacts,
  { kind: 'payment_refunded' | 'payment_taken_back' | 'payment_counts_again' }
>;
type UnpaidFacts = Extract<MoneyFacts, { kind: 'fee_unpaid' }>;
type MoneyText = { readonly title: string; readonly message: string };

export function moneyText(facts: MoneyFacts): MoneyText {
  switch (facts.kind) {
    case 'fee_billed':
    case 'fee_credited':
    case 'fee_declined':
      return feeText(facts);
    case 'fee_unpaid':
      return unpaidText(facts);
    default:
      return paymentText(facts);
  }
}

function paymentText(facts: PaymentFacts): MoneyText {
  const amount = dollars(facts.amount);
  switch (facts.kind) {
    case 'payment_refunded':
      return {
        title: 'Payment given back',
        message: `${amount} goes back to the card that you paid with, because ${facts.because}. Banks take a few days to show it.`,
      };
    case 'payment_taken_back':
      if (facts.strategyName !== null)
        return {
          title: 'Fee payment taken back by your bank',
          message: `${facts.strategyName}: your bank took back ${amount} of a performance fee. The bill is unpaid again${facts.dueOn === null ? '' : ` and due on ${longDate(facts.dueOn)}`}. Your bills are no longer paid automatically: please pay this one on its page.`,
        };
      return {
        title: 'Plan payment taken back by your bank',
        message: facts.planEnded
          ? `Your bank took back ${amount} of your plan, so the plan has ended. You are on the Free plan: your deployments keep running, and nothing new starts beyond its limits until you choose a plan again.`
          : `Your bank took back ${amount} of an earlier period of your plan. Your current plan continues, less the credit that came from that payment.`,
      };
    case 'payment_counts_again':
      return {
        title: 'Payment counts again',
        message:
          facts.strategyName === null
            ? `Your bank gave back the ${amount} that it had taken. ${facts.credit === null || facts.credit === 0 ? 'Your plan does not change.' : `${dollars(facts.credit)} is kept as credit for your next payments.`}`
            : `${facts.strategyName}: your bank gave back the ${amount} that it had taken of a performance fee. If you have paid the bill again since then, that payment is refunded.`,
      };
  }
}

type FeeFacts = Extract<MoneyFacts, { kind: 'fee_billed' | 'fee_credited' | 'fee_declined' }>;

function feeText(facts: FeeFacts): MoneyText {
  switch (facts.kind) {
    case 'fee_billed':
      return {
        title: `Performance fee of ${dollars(facts.fee)}`,
        message: `${facts.strategyName}: by ${longDate(facts.until)} it earned ${dollars(facts.profit)} above its high-water mark of ${dollars(facts.above)}. The fee is ${dollars(facts.fee)}. It is invoiced separately: nothing is taken from your broker account.`,
      };
    case 'fee_credited':
      return {
        title: `Performance fee credit of ${dollars(facts.credit)}`,
        message: `${facts.strategyName}: later figures of your broker leave a profit of ${dollars(facts.profit)}. ${dollars(facts.credit)} of the final fee is credited to you.`,
      };
    case 'fee_declined':
      return {
        title: 'Performance fee not paid',
        message: `${facts.strategyName}: the payment of ${dollars(facts.owed)} was declined. Your bills are no longer paid automatically: please pay this one on its page.`,
      };
  }
}

function unpaidText(facts: UnpaidFacts): MoneyText {
  const { strategyName, owed, stage, dueOn, stopsOn } = facts;
  const unpaid = `${strategyName}: the fee of ${dollars(owed)} was due on ${longDate(dueOn)} and is unpaid.`;
  if (stage === 'stopped')
    return {
      title: 'No new positions: a fee is unpaid',
      message: `${unpaid} We open no new positions in any of your deployments until it is paid. Existing ones can still be sold.`,
    };
  if (stage === 'closable')
    return {
      title: 'Your account may be closed: a fee is unpaid',
      message: `${unpaid} Our support may now stop your deployments and close your account. Nothing you hold is sold.`,
    };
  return {
    title: 'Performance fee overdue',
    message: `${unpaid} Please pay it by ${longDate(stopsOn)}: after that we open no new positions.`,
  };
}
