// Takes an order into a practice account, or says why not.
import type { Instant } from '#units/instant.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import { type CalendarExceptions, heldCalendar } from '../market/calendar-exceptions.ts';
import { nextSession, sessionAt } from '../market/calendar.ts';
import type { ApprovedOrder } from '../order/order.ts';
import { type BuyingPower, buyingPower, type Valuation } from './buying-power.ts';
import { practiceOrderId, type PracticeAccount, type PracticeOrder } from './practice-account.ts';

export type Entered =
  | { readonly outcome: 'entered'; readonly account: PracticeAccount; readonly order: PracticeOrder }
  | { readonly outcome: 'rejected'; readonly why: Rejection };

export type Rejection =
  | { readonly code: 'not_traded' | 'not_a_multiple' }
  | ({ readonly code: 'buying_power' } & BuyingPower);

export type PracticeTicket = Pick<
  ApprovedOrder,
  'clientOrderId' | 'symbol' | 'side' | 'quantity' | 'limitPrice'
> & {
  /** Of a protective stop; null for any other order. */
  readonly stopPrice: number | null;
};

export function enterOrder(
  account: PracticeAccount,
  ticket: PracticeTicket,
  {
    at,
    exceptions,
    ...valuation
  }: Valuation & { readonly at: Instant; readonly exceptions: CalendarExceptions },
): Entered {
  const { clientOrderId, symbol, side, quantity, stopPrice } = ticket;
  const instrument = valuation.instruments.get(symbol);
  if (instrument === undefined) return { outcome: 'rejected', why: { code: 'not_traded' } };
  const held = account.portfolio.positions.get(symbol)?.quantity ?? 0;
  const isClosing = held > 0 !== (side === 'buy') && quantity <= Math.abs(held);
  if (quantity % instrument.quantityStep !== 0 && !isClosing)
    return { outcome: 'rejected', why: { code: 'not_a_multiple' } };
  const calendar = heldCalendar(instrument.calendar, exceptions);
  const session = sessionAt(calendar, at) ?? nextSession(calendar, at);
  const order: PracticeOrder = {
    orderId: practiceOrderId(clientOrderId),
    clientOrderId,
    symbol,
    side,
    quantity,
    filled: ZERO_QUANTITY,
    limitPrice: stopPrice === null ? ticket.limitPrice : null,
    stopPrice,
    status: 'working',
    submittedAt: at,
    expiresAt: session.closesAt,
    changedAt: at,
  };
  const power = buyingPower(account, order, valuation);
  if (power.needed > 0 && power.needed > power.available)
    return { outcome: 'rejected', why: { code: 'buying_power', ...power } };
  return { outcome: 'entered', order, account: { ...account, working: [...account.working, order] } };
}
