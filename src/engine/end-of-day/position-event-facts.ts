// The notice to owners of positions held over the end of a session. The cost of financing, which is charged every
// session, is visible in the account and not reported.
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { type Quantity, quantity, quantityText } from '#units/quantity.ts';
import type { PositionEventFacts } from '../execution/deployment/notice-facts.ts';
import { parseOption } from '../market/option-contract.ts';
import type { PositionEvent } from '../market/position-event.ts';

export type NoticedPositionEvent = {
  readonly event: PositionEvent;
  readonly entitled: Quantity;
  readonly realized: Micro;
  /** The session after which it happened. */
  readonly sessionDate: IsoDate;
  /** Whether it makes up for an execution that was reported after that session. */
  readonly isLate: boolean;
};

/** Null when there is nothing to report. */
export function positionEventFacts(happened: NoticedPositionEvent): PositionEventFacts | null {
  const { event, entitled, realized, sessionDate, isLate } = happened;
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
