// The notices that trading sends to people: one per event, each with a unique cause.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { Notice } from '../../deployment-state.ts';
import type { LifecycleNotice } from '../../lifecycle/advance.ts';
import type { ApprovedOrder } from '../../order/order.ts';
import type { TradingNotice } from './notice-facts.ts';
import { decisionKey } from '../../decision/decision-key.ts';
import { isProtective, type OpenOrder } from '../orders/open-order.ts';
import type { EndReason } from '../orders/order-reason.ts';
import type { NewNotice } from './state-transition.ts';
import type { TradingDeployment } from './trading-deployment.ts';

type Occasion = Pick<NewNotice, 'cause' | 'decision' | 'at'>;

export function noticeTo(
  { userId, id }: TradingDeployment,
  facts: TradingNotice,
  occasion: Occasion,
): NewNotice {
  return { userId, deploymentId: id, facts, ...occasion };
}

/** The revision makes each pause a separate event. */
export function lifecycleNotice(record: TradingDeployment, notice: LifecycleNotice, at: Instant): NewNotice {
  const { strategyName, cash } = record;
  const occasion = { cause: `${notice.kind}:${record.id}:${record.revision}`, at };
  if (notice.kind === 'stopped' || notice.kind === 'liquidated')
    return noticeTo(record, { kind: notice.kind, strategyName, cash }, occasion);
  return noticeTo(record, { ...notice, strategyName }, occasion);
}

export type NoticedFill = {
  readonly order: OpenOrder;
  readonly quantity: Quantity;
  readonly price: number;
  readonly currency: string;
  readonly commission: Micro;
  /** Realised profit before commission; null when it closed nothing. */
  readonly profit: Micro | null;
};

export function fillNotice(
  record: TradingDeployment,
  { order, ...fill }: NoticedFill,
  occasion: Occasion,
): NewNotice {
  const { symbol, side } = order.decided;
  const about = { strategyName: record.strategyName, side, symbol, isProtective: isProtective(order) };
  const facts = { kind: 'order_filled', ...about, ...fill } as const;
  return noticeTo(record, facts, { ...occasion, decision: decisionKey(order.decided) });
}

export function notFilledNotice(
  record: TradingDeployment,
  { order, reason }: { readonly order: OpenOrder; readonly reason: EndReason },
  at: Instant,
): NewNotice {
  const { symbol, side, quantity, clientOrderId } = order.decided;
  const about = { strategyName: record.strategyName, side, quantity, symbol, reason };
  const facts = { kind: 'order_not_filled', ...about, isProtective: isProtective(order) } as const;
  const decision = decisionKey(order.decided);
  return noticeTo(record, facts, { cause: `not_filled:${clientOrderId}`, decision, at });
}

/** From the engine's decision at a price; `orders` are the orders of that decision. */
export function engineNotice(
  record: TradingDeployment,
  notice: Notice,
  orders: readonly ApprovedOrder[],
  at: Instant,
): NewNotice {
  const { strategyName } = record;
  if (notice.type === 'frozen') {
    const facts = { kind: 'frozen', strategyName, drawdownPercent: notice.drawdownPercent } as const;
    // Once, and once again after each time that its owner ended one.
    return noticeTo(record, facts, { cause: `frozen:${record.id}:${record.freezeLiftedAt ?? ''}`, at });
  }
  const { symbol } = notice;
  const order = orders.find((one) => one.symbol === symbol);
  const cause = `${notice.type}:${order?.clientOrderId ?? unordered(record, symbol, at)}`;
  const facts: TradingNotice =
    notice.type === 'margin_call'
      ? { kind: 'margin_call', strategyName, symbol }
      : { kind: 'stop_loss', strategyName, symbol, lossPercent: notice.lossPercent };
  return noticeTo(record, facts, { cause, ...(order && { decision: decisionKey(order) }), at });
}

function unordered({ id }: TradingDeployment, symbol: Symbol, at: Instant): string {
  return `${id}:${symbol}:${at}`;
}
