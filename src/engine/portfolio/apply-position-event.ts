// Applies a split, a dividend, a swap, an expiry, a fee in coins, a delivery of shares or an adjustment to a portfolio. Promises that a
// split wins and loses nothing, and that every other change is booked as a double entry, like a fill.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro, micro, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { deliveryLegs } from '../market/derivatives/delivery-legs.ts';
import type { Adjustment } from '../market/adjustment.ts';
import type { CoinFee, Delivery, PositionEvent } from '../market/position-event.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import type { Fill } from '../order/order.ts';
import { applyAdjustment } from './apply-adjustment.ts';
import { type AppliedFill, applyFill } from './apply-fill.ts';
import type { Portfolio, Position } from './portfolio.ts';

export type PositionEventTerms = {
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  readonly at: Instant;
  /** The position at the time of the event, when some of it has been traded since; without it, the current position. */
  readonly entitled?: Quantity | undefined;
};

/**
 * Null when the portfolio neither holds the instrument nor held it at the event; an adjustment needs no holding. Throws
 * RangeError when an instrument is unknown.
 */
export function applyPositionEvent(
  portfolio: Portfolio,
  event: PositionEvent | CoinFee | Adjustment,
  terms: PositionEventTerms,
): AppliedFill | null {
  const { marks, at, entitled } = terms;
  const { symbol } = event;
  if (event.type === 'adjustment')
    return applyAdjustment(portfolio, event, { instrument: instrumentOf(symbol, terms), marks, at });
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
    case 'coin_fee':
      return takeCoins(portfolio, event, terms);
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
        instrumentOf(symbol, terms),
        marks,
      );
    case 'exercise':
    case 'assignment':
      return bookFills(portfolio, deliveryFills(portfolio, event, at), terms);
  }
}

/** Null when the coins are not held. The cash is that of the commission which they pay. */
function takeCoins(
  portfolio: Portfolio,
  { symbol, units, price }: CoinFee,
  terms: PositionEventTerms,
): AppliedFill | null {
  const held = portfolio.positions.get(symbol)?.quantity ?? 0;
  if (held <= 0 || units > held) return null;
  const fill = {
    clientOrderId: NO_ORDER,
    symbol,
    side: units > 0 ? 'sell' : 'buy',
    quantity: quantity(Math.abs(units)),
    price,
    commission: ZERO_MICRO,
    at: terms.at,
  } as const;
  return applyFill(portfolio, fill, instrumentOf(symbol, terms), terms.marks);
}

/** The executions of a delivery, as this portfolio books them. */
export function deliveryFills(portfolio: Portfolio, event: Delivery, at: Instant): Fill[] {
  const none = { clientOrderId: NO_ORDER, commission: ZERO_MICRO, at };
  const held = portfolio.positions.get(event.symbol);
  return deliveryLegs(event, costOfContracts(held, event)).map((leg) => ({ ...none, ...leg }));
}

/** The entry cost of the contracts of a delivery, signed like them; zero for those no longer held. */
export function costOfContracts(
  held: Pick<Position, 'quantity' | 'cost'> | undefined,
  { contracts }: Pick<Delivery, 'contracts'>,
): Micro {
  if (held === undefined || Math.sign(held.quantity) !== Math.sign(contracts)) return ZERO_MICRO;
  const part = Math.min(1, contracts / held.quantity);
  return micro(roundHalfEven(held.cost * part));
}

function bookFills(portfolio: Portfolio, fills: readonly Fill[], terms: PositionEventTerms): AppliedFill {
  let booked: AppliedFill = { portfolio, booking: NOTHING, realizedPnl: ZERO_MICRO };
  for (const fill of fills) {
    const next = applyFill(booked.portfolio, fill, instrumentOf(fill.symbol, terms), terms.marks);
    booked = {
      portfolio: next.portfolio,
      realizedPnl: add(booked.realizedPnl, next.realizedPnl),
      booking: {
        cash: add(booked.booking.cash, next.booking.cash),
        holdings: add(booked.booking.holdings, next.booking.holdings),
        realized: add(booked.booking.realized, next.booking.realized),
        commission: ZERO_MICRO,
      },
    };
  }
  return booked;
}

function instrumentOf(symbol: Symbol, { instruments }: PositionEventTerms): Instrument {
  const instrument = instruments.get(symbol);
  if (instrument === undefined) throw new RangeError(`an event of an unknown instrument: ${symbol}`);
  return instrument;
}

const NOTHING = { cash: ZERO_MICRO, holdings: ZERO_MICRO, realized: ZERO_MICRO, commission: ZERO_MICRO };
/** An expiry belongs to no order. */
const NO_ORDER = '' as ClientOrderId;
