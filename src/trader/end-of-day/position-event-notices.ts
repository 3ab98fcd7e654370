// The notice to whoever held something over the end of a session. What happens every session, the cost of financing, is
// read off the account and is no news.
import type { PositionEvent } from '#engine/market/position-event.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { NewNotification } from '#records/notifications/notifications-outbox.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import type { PositionEventFacts } from '#rules/notifications/position-event-text.ts';
import type { NotificationId, Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { type Quantity, quantity, quantityText } from '#units/quantity.ts';
import type { TradingContext } from '../trading-context.ts';

export type NoticedPositionEvent = {
  readonly event: PositionEvent;
  readonly entitled: Quantity;
  readonly realized: Micro;
  /** The session after which it happened. */
  readonly sessionDate: IsoDate;
  readonly cause: string;
  /** Whether it makes up for an execution that was reported after that session. */
  readonly isLate: boolean;
};

export function positionEventNotices(
  record: TradingDeployment,
  happened: NoticedPositionEvent,
  { newId, now }: TradingContext,
): readonly NewNotification[] {
  const holding = factsOf(happened);
  return holding === null ? [] : [noticeOf(record, { holding, cause: happened.cause }, { newId, now })];
}

/** `told` is the end of a sentence: what was corrected, and why. */
export function adjustmentNotice(
  record: TradingDeployment,
  {
    symbol,
    explanation,
    cause,
  }: { readonly symbol: Symbol; readonly explanation: string; readonly cause: string },
  context: TradingContext,
): NewNotification {
  return noticeOf(record, { holding: { type: 'adjustment', symbol, explanation }, cause }, context);
}

function noticeOf(
  { strategyName, userId, id: deploymentId }: TradingDeployment,
  { holding, cause }: { readonly holding: PositionEventFacts; readonly cause: string },
  { newId, now: at }: Pick<TradingContext, 'newId' | 'now'>,
): NewNotification {
  const facts = { kind: 'position_changed', strategyName, holding } as const;
  return { id: newId() as NotificationId, userId, deploymentId, facts, cause, at };
}

function factsOf({
  event,
  entitled,
  realized,
  sessionDate,
  isLate,
}: NoticedPositionEvent): PositionEventFacts | null {
  const { symbol } = event;
  switch (event.type) {
    case 'exercise':
    case 'assignment': {
      const { type, contracts, shares, underlying, strike } = event;
      const option = parseOption(symbol)!;
      return {
        type,
        symbol,
        right: option.right,
        contracts: quantityText(quantity(Math.abs(contracts))),
        shares: quantityText(quantity(Math.abs(shares))),
        side: shares > 0 ? 'buy' : 'sell',
        underlying,
        strike,
        isEarly: sessionDate < option.expiry,
      };
    }
    case 'expiry':
      return { type: 'expiry', symbol, side: entitled > 0 ? 'long' : 'short', price: event.price };
    case 'dividend':
      return { type: isLate ? 'late dividend' : 'dividend', symbol, paid: realized };
    case 'split':
      return { type: 'split', symbol, ratio: event.ratio };
    case 'swap':
      return null;
    default:
      return event satisfies never;
  }
}
