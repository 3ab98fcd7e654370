// Takes an order into a practice account, or says in words why not, as a broker would.
import { fromMicro } from '#units/money.ts';
import type { Instant } from '#units/instant.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import { nextSession, sessionAt } from '../market/calendar.ts';
import type { ApprovedOrder } from '../order/order.ts';
import { buyingPower, type Valuation } from './buying-power.ts';
import { practiceOrderId, type PracticeAccount, type PracticeOrder } from './practice-account.ts';

export type Entered =
  | { readonly outcome: 'entered'; readonly account: PracticeAccount; readonly order: PracticeOrder }
  | { readonly outcome: 'rejected'; readonly said: string };

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
  { at, ...valuation }: Valuation & { readonly at: Instant },
): Entered {
  const { clientOrderId, symbol, side, quantity, stopPrice } = ticket;
  const instrument = valuation.instruments.get(symbol);
  if (instrument === undefined) return { outcome: 'rejected', said: `${symbol} is not traded here` };
  const held = account.portfolio.positions.get(symbol)?.quantity ?? 0;
  const isClosing = held > 0 !== (side === 'buy') && quantity <= Math.abs(held);
  if (quantity % instrument.quantityStep !== 0 && !isClosing)
    return { outcome: 'rejected', said: 'The quantity is no multiple of the smallest that trades' };
  const session = sessionAt(instrument.calendar, at) ?? nextSession(instrument.calendar, at);
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
  const { needed, available } = buyingPower(account, order, valuation);
  if (needed > 0 && needed > available)
    return {
      outcome: 'rejected',
      said: `The order needs ${dollars(needed)} and the account has ${dollars(available)}`,
    };
  return { outcome: 'entered', order, account: { ...account, working: [...account.working, order] } };
}

function dollars(amount: Parameters<typeof fromMicro>[0]): string {
  return `$${fromMicro(amount).toFixed(2)}`;
}
