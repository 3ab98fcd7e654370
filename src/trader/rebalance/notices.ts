// The notices that trading owes people: one per event, keyed by it, in the words of the rules.
import type { EndReason } from '#engine/execution/order-reason.ts';
import type { LifecycleNotice } from '#engine/lifecycle/advance.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { Notice } from '#engine/step.ts';
import type { NewNotification } from '#records/notifications/notifications-outbox.ts';
import type { OrderRecord } from '#records/execution/orders.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { TradingContext } from '../trading-context.ts';

type Occasion = { readonly cause: string; readonly at: Instant };

function noticeOf(
  record: TradingDeployment,
  facts: NoticeFacts,
  { cause, at }: Occasion,
  context: TradingContext,
): NewNotification {
  const id = context.newId() as NotificationId;
  return { id, userId: record.userId, deploymentId: record.id, facts, cause, at };
}

/** The revision makes each pause an event of its own. */
export function lifecycleNotice(
  record: TradingDeployment,
  notice: LifecycleNotice,
  context: TradingContext,
): NewNotification {
  const { strategyName, cash } = record;
  const occasion = { cause: `${notice.kind}:${record.id}:${record.revision}`, at: context.now };
  if (notice.kind === 'stopped' || notice.kind === 'liquidated')
    return noticeOf(record, { kind: notice.kind, strategyName, cash }, occasion, context);
  return noticeOf(record, { ...notice, strategyName }, occasion, context);
}

export type NoticedFill = {
  readonly order: OrderRecord;
  readonly quantity: Quantity;
  readonly price: number;
  readonly currency: string;
  readonly commission: Micro;
  /** Profit of what it closed, before commission; null when it closed nothing. */
  readonly profit: Micro | null;
  readonly cause: string;
  readonly at: Instant;
};

export function fillNotice(
  record: TradingDeployment,
  { order, cause, at, ...fill }: NoticedFill,
  context: TradingContext,
): NewNotification {
  const { symbol, side, purpose } = order.decided;
  const { strategyName } = record;
  const isProtective = purpose === 'protective';
  const facts = { kind: 'order_filled', strategyName, side, symbol, isProtective, ...fill } as const;
  return noticeOf(record, facts, { cause, at }, context);
}

export function notFilledNotice(
  record: TradingDeployment,
  order: OrderRecord,
  reason: EndReason,
  context: TradingContext,
): NewNotification {
  const { symbol, side, quantity, clientOrderId, purpose } = order.decided;
  const { strategyName } = record;
  const isProtective = purpose === 'protective';
  const facts = {
    kind: 'order_not_filled',
    strategyName,
    side,
    quantity,
    symbol,
    reason,
    isProtective,
  } as const;
  return noticeOf(record, facts, { cause: `not_filled:${clientOrderId}`, at: context.now }, context);
}

export function engineNotice(
  record: TradingDeployment,
  notice: Notice,
  orders: readonly ApprovedOrder[],
  context: TradingContext,
): NewNotification {
  const { strategyName } = record;
  if (notice.type === 'frozen') {
    const facts = { kind: 'frozen', strategyName, drawdownPercent: notice.drawdownPercent } as const;
    return noticeOf(record, facts, { cause: `frozen:${record.id}`, at: context.now }, context);
  }
  const { symbol } = notice;
  const order = orders.find((one) => one.symbol === symbol);
  if (notice.type === 'margin_call') {
    const id = order?.clientOrderId ?? `${record.id}:${symbol}:${context.now}`;
    const occasion = { cause: `margin_call:${id}`, at: context.now };
    return noticeOf(record, { kind: 'margin_call', strategyName, symbol }, occasion, context);
  }
  const { lossPercent } = notice;
  const cause = `stop_loss:${order?.clientOrderId ?? `${record.id}:${symbol}:${context.now}`}`;
  return noticeOf(
    record,
    { kind: 'stop_loss', strategyName, symbol, lossPercent },
    { cause, at: context.now },
    context,
  );
}
