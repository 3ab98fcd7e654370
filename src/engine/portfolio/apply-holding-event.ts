// What a split, a dividend, a swap or an expiry makes of a portfolio. Promises that nothing is won or lost by a split,
// and that every other change is booked as a double entry, like a fill.
import type { ClientOrderId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, micro, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { HoldingEvent } from '../market/holding-event.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import { type AppliedFill, applyFill } from './apply-fill.ts';
import type { Portfolio } from './portfolio.ts';

export type HoldingEventTerms = {
  readonly instrument: Instrument;
  readonly marks: Marks;
  readonly at: Instant;
  /** What was held when it happened, when some of it has been traded since; without it, what is held now. */
  readonly entitled?: Quantity | undefined;
};

/** Null when the portfolio does not hold the instrument, nor did when it happened. */
export function applyHoldingEvent(
  portfolio: Portfolio,
  event: HoldingEvent,
  { instrument, marks, at, entitled }: HoldingEventTerms,
): AppliedFill | null {
  const { symbol } = event;
  const held = portfolio.positions.get(symbol);
  const reckoned = entitled ?? held?.quantity ?? 0;
  if (reckoned === 0) return null;
  switch (event.type) {
    case 'split': {
      if (held === undefined) return null;
      const after = quantity(held.quantity + roundHalfEven(reckoned * (event.ratio - 1)));
      const positions = new Map(portfolio.positions).set(symbol, { ...held, quantity: after });
      return { portfolio: { ...portfolio, positions }, booking: NOTHING, realizedPnl: ZERO_MICRO };
    }
    case 'dividend':
    case 'swap': {
      const paid = micro(roundHalfEven((reckoned * event.perUnit) / 100));
      return {
        portfolio: { ...portfolio, cash: add(portfolio.cash, paid), realized: add(portfolio.realized, paid) },
        booking: { ...NOTHING, cash: paid, realized: micro(-paid) },
        realizedPnl: paid,
      };
    }
    case 'expiry':
      if (held === undefined) return null;
      return applyFill(
        portfolio,
        {
          clientOrderId: NO_ORDER,
          symbol,
          side: held.quantity > 0 ? 'sell' : 'buy',
          quantity: quantity(Math.abs(held.quantity)),
          price: event.price,
          commission: ZERO_MICRO,
          at,
        },
        instrument,
        marks,
      );
  }
}

const NOTHING = { cash: ZERO_MICRO, holdings: ZERO_MICRO, realized: ZERO_MICRO, commission: ZERO_MICRO };
/** An expiry is nobody's order. */
const NO_ORDER = '' as ClientOrderId;
