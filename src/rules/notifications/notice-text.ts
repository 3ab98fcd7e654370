// The notices that a person gets about a deployment, with their words. Promises a title and one plain sentence or
// two for every kind, saying what happened and what it means for the money.
import type { NamedOrder } from '#engine/lifecycle/status-reason.ts';
import type { TradingNotice } from '#engine/execution/deployment/notice-facts.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { quantityText } from '#units/quantity.ts';
import { type MoneyFacts, moneyText } from './money-text.ts';
import { dollars } from '../dollars.ts';
import { longDate } from '../long-date.ts';
import { priceText } from '../price-text.ts';
import { orderReasonClause } from '../reasons/order-reason.ts';
import { failingTask, stillAtBrokerText } from '../reasons/status-reason.ts';
import { type AccountFacts, accountText } from './account-text.ts';
import { flowText } from './flow-text.ts';
import { type ProgramFacts, programText } from './program-text.ts';
import { positionEventText } from './position-event-text.ts';
import { isOfStrategy, type StrategyFacts, strategyText } from './strategy-notice.ts';
import { type TripwireFacts, tripwireNotice } from './tripwire-notice.ts';

export const NOTICE_KINDS = [
  'deployed',
  'trading_started',
  'order_filled',
  'order_not_filled',
  'stop_loss',
  'frozen',
  'tripwire_amber',
  'tripwire_red',
  'tripwire_acknowledged',
  'paused',
  'resumed',
  'stopping',
  'stopped',
  'liquidation_requested',
  'liquidation_declined',
  'liquidated',
  'failed',
  'broker_disconnected',
  'broker_reconnected',
  'position_changed',
  'margin_call',
  'limits_changed',
  'money_added',
  'money_withdrawn',
  'flow_refused',
  'figures_rebuilt',
  'fee_billed',
  'fee_credited',
  'fee_declined',
  'fee_unpaid',
  'agreement_changed',
  'payment_refunded',
  'payment_taken_back',
  'payment_counts_again',
  'unpaid_closed',
  'strategy_changed',
  'strategy_retired',
  'capacity_admitted',
  'queue_closed',
  'key_asks',
  'webhook_disabled',
  'channel_gone',
  'security_changed',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What happened, with what its words need; kept as JSON. */
export type NoticeFacts =
  | TradingNotice
  | MoneyFacts
  | { readonly kind: 'liquidation_requested'; readonly strategyName: string }
  | TripwireFacts
  | { readonly kind: 'deployed'; readonly strategyName: string; readonly investment: Micro }
  /** By the owner. Percent; 0 is off. */
  | {
      readonly kind: 'limits_changed';
      readonly strategyName: string;
      readonly changes: readonly {
        readonly limit: keyof typeof LIMIT_WORDS;
        readonly from: number;
        readonly to: number;
      }[];
    }
  /** `because`: the end of a sentence, in the words of our support. */
  | { readonly kind: 'liquidation_declined'; readonly strategyName: string; readonly because: string }
  | StrategyFacts
  /** Of one deployment that support paused. */
  | { readonly kind: 'unpaid_closed'; readonly strategyName: string; readonly because: string }
  | ProgramFacts
  | AccountFacts
  | {
      readonly kind: 'agreement_changed';
      readonly stage: 'changed' | 'reminded' | 'dated' | 'soon' | 'over';
      /** What is new in it, as sentences. */
      readonly changes: readonly string[];
      /** The day by which it must be signed; null where there is none. */
      readonly signOn: IsoDate | null;
    };

export type NoticeText = { readonly title: string; readonly message: string };

export function noticeText(facts: NoticeFacts): NoticeText {
  if (facts.kind === 'key_asks' || facts.kind === 'webhook_disabled') return programText(facts);
  if (facts.kind === 'channel_gone' || facts.kind === 'security_changed') return accountText(facts);
  if (isOfStrategy(facts)) return strategyText(facts);
  switch (facts.kind) {
    case 'order_filled':
    case 'order_not_filled':
      return orderText(facts);
    case 'broker_disconnected':
      return {
        title: 'Broker disconnected',
        message: `We cannot reach your account at ${facts.brokerName}. No new orders are sent until you connect it again.`,
      };
    case 'broker_reconnected':
      return reconnectedText(facts);
    case 'limits_changed':
      return limitsText(facts);
    case 'money_added':
    case 'money_withdrawn':
    case 'flow_refused':
      return flowText(facts);
    case 'stop_loss':
      return {
        title: 'Stop loss reached',
        message: `${facts.strategyName}: ${facts.symbol} lost ${facts.lossPercent.toFixed(1)}% from its average cost. The position is being sold.`,
      };
    case 'frozen':
      return {
        title: 'Trading frozen',
        message: `${facts.strategyName} fell ${facts.drawdownPercent.toFixed(1)}% from its peak, past your limit. No new positions are opened until you decide: resume trading, or stop the deployment.`,
      };
    case 'tripwire_amber':
    case 'tripwire_red':
    case 'tripwire_acknowledged':
      return tripwireNotice(facts);
    case 'position_changed': {
      const { title, what } = positionEventText(facts.holding);
      return { title, message: `${facts.strategyName}: ${what}.` };
    }
    case 'margin_call':
      return {
        title: 'Position closed for margin',
        message: `${facts.strategyName}: its value no longer covers the required margin. ${facts.symbol} is being closed.`,
      };
    case 'figures_rebuilt':
      return {
        title: 'Figures corrected',
        message: `${facts.strategyName}: what we showed did not match your trades. Cash, positions and realized profit are calculated again from all your executions. The value was ${dollars(facts.before)} and is ${dollars(facts.after)}. No order was sent for this.`,
      };
    case 'fee_billed':
    case 'fee_credited':
    case 'fee_declined':
    case 'fee_unpaid':
    case 'payment_refunded':
    case 'payment_taken_back':
    case 'payment_counts_again':
      return moneyText(facts);
    case 'agreement_changed':
      return agreementText(facts);
    case 'unpaid_closed':
      return {
        title: 'Trading ended: fee unpaid',
        message: `${facts.strategyName} is paused because ${facts.because}. Nothing is sold, and it can resume once your performance fee is paid.`,
      };
    default:
      return lifeCycleText(facts);
  }
}

function agreementText({
  stage,
  changes,
  signOn: day,
}: Extract<NoticeFacts, { kind: 'agreement_changed' }>): NoticeText {
  const signOn = day && longDate(day);
  const meanwhile =
    'What you signed holds for the deployments that run. You need the new wording to start, resume or promote one.';
  switch (stage) {
    case 'changed':
      return {
        title: 'The investment agreement has changed',
        message: ['Please read and sign the new wording.', ...changes, meanwhile].join(' '),
      };
    case 'reminded':
      return {
        title: 'The new investment agreement waits for your signature',
        message: ['You have not signed the new wording yet.', ...changes, meanwhile].join(' '),
      };
    case 'dated':
      return {
        title: `Please sign the new agreement by ${signOn}`,
        message: `From ${signOn} on we open nothing new for you until you have signed it. What you hold is protected and closed as before.`,
      };
    case 'soon':
      return {
        title: `A week is left to sign: ${signOn}`,
        message: `From ${signOn} on we open nothing new for you until you have signed the new agreement.`,
      };
    case 'over':
      return {
        title: 'No new positions: the new agreement is not signed',
        message: `The day to sign it was ${signOn}. We open nothing new in your deployments until you sign. What you hold is protected and closed as before.`,
      };
    default:
      return stage satisfies never;
  }
}

type OrderFacts = Extract<NoticeFacts, { kind: 'order_filled' | 'order_not_filled' }>;

function orderText(facts: OrderFacts): NoticeText {
  const { strategyName, quantity, symbol } = facts;
  if (facts.kind === 'order_filled') {
    const { side, price, currency, commission, profit, isProtective } = facts;
    const verb = side === 'buy' ? 'Bought' : 'Sold';
    const parts = [
      `${strategyName}: ${verb.toLowerCase()} ${quantityText(quantity)} ${symbol} at ${priceText(price, currency)}.`,
      `Commission ${dollars(commission)}.`,
    ];
    if (profit !== null)
      parts.push(`Realized ${profit < 0 ? 'loss' : 'profit'}: ${dollars(Math.abs(profit) as Micro)}.`);
    if (isProtective) parts.push('This was the protective stop at your broker.');
    return { title: `${verb} ${symbol}`, message: parts.join(' ') };
  }
  const because = `${facts.isProtective ? 'this was a protective stop; ' : ''}${orderReasonClause(facts.reason)}`;
  return {
    title: `Order for ${symbol} not filled`,
    message: `${strategyName}: the order to ${facts.side} ${quantityText(quantity)} ${symbol} was not filled in full: ${because}.`,
  };
}

const LIMIT_WORDS = {
  stop_loss_percentage: 'stop loss',
  max_allocation_per_trade: 'max allocation',
  freeze_on_drawdown: 'freeze',
} as const;

function limitsText({ strategyName, changes }: Extract<NoticeFacts, { kind: 'limits_changed' }>): NoticeText {
  const shown = (percent: number) => (percent === 0 ? 'off' : `${percent}%`);
  const told = changes.map(
    ({ limit, from, to }) => `${LIMIT_WORDS[limit]} ${shown(to)} instead of ${shown(from)}`,
  );
  return { title: 'Limits changed', message: `${strategyName}: ${told.join(', ')}.` };
}

function reconnectedText(facts: Extract<NoticeFacts, { kind: 'broker_reconnected' }>): NoticeText {
  if ('brokerName' in facts)
    return {
      title: 'Broker connected',
      message: `Your account at ${facts.brokerName} is connected again.`,
    };
  const done = facts.requested === 'paused' ? 'is paused' : 'is being closed';
  return {
    title: 'Your broker is back',
    message: `Your broker did not respond for ${facts.unresponsiveMinutes} minutes. As you chose, ${facts.strategyName} ${done}.`,
  };
}

type LifeCycleFacts = Exclude<
  NoticeFacts,
  | MoneyFacts
  | OrderFacts
  | ProgramFacts
  | AccountFacts
  | StrategyFacts
  | TripwireFacts
  | { kind: 'broker_disconnected' | 'broker_reconnected' | 'stop_loss' | 'frozen' }
  | {
      kind:
        | 'position_changed'
        | 'margin_call'
        | 'figures_rebuilt'
        | 'limits_changed'
        | 'money_added'
        | 'money_withdrawn'
        | 'flow_refused'
        | 'agreement_changed'
        | 'unpaid_closed';
    }
>;

function lifeCycleText(facts: LifeCycleFacts): NoticeText {
  const { strategyName } = facts;
  switch (facts.kind) {
    case 'deployed':
      return {
        title: 'Strategy deployed',
        message: `${strategyName} is deployed with ${dollars(facts.investment)}. It starts trading at its next signal.`,
      };
    case 'trading_started':
      return { title: 'Trading started', message: `${strategyName} has started trading.` };
    case 'paused':
      return {
        title: 'Trading paused',
        message: withOrders(
          `${strategyName} is paused. Positions stay open, and no orders are sent until you resume, not even stop-loss sales.`,
          facts.atBroker,
        ),
      };
    case 'resumed':
      return { title: 'Trading resumed', message: `${strategyName} trades again from its next signal.` };
    case 'stopping':
      return {
        title: 'Stopping',
        message: withOrders(
          `${strategyName} is being stopped. Its positions are being sold.`,
          facts.atBroker,
        ),
      };
    case 'stopped':
      return {
        title: 'Strategy stopped',
        message: `${strategyName} is stopped and holds no positions. ${dollars(facts.cash)} is in cash at your broker.`,
      };
    case 'liquidation_requested':
      return {
        title: 'Liquidation requested',
        message: `Support has received your request to liquidate ${strategyName} and will review it.`,
      };
    case 'liquidation_declined':
      return {
        title: 'Liquidation declined',
        message: `The liquidation of ${strategyName} was declined: ${facts.because}.`,
      };
    case 'liquidated':
      return {
        title: 'Strategy liquidated',
        message: `${strategyName} is liquidated. ${dollars(facts.cash)} is in cash at your broker.`,
      };
    case 'failed':
      return {
        title: 'Deployment failed',
        message: `${strategyName} could not continue: ${failingTask(facts.failing)}.`,
      };
    default:
      return facts satisfies never;
  }
}

function withOrders(message: string, atBroker: readonly NamedOrder[]): string {
  const still = stillAtBrokerText(atBroker);
  return still === null ? message : `${message} ${still}`;
}
