// The prices behind orders, by the same limit that holds an order back.
import { isPriceTooOld, marketSpeed } from '#engine/market/kinds/price-age.ts';
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import { listPricedOrders, type PricedOrder } from '#records/invariants/priced-orders.ts';
import { isoText } from '#units/instant.ts';

export const PRICE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I21',
    says: 'Every order was decided on a price of its time, and left before that price was too old',
    async find(database) {
      const orders = await listPricedOrders(database);
      return orders.filter((order) => !isOfItsTime(order)).map(violation);
    },
  },
];

function isOfItsTime({ instrument, pricedAt, decidedAt, sentAt, daySeconds }: PricedOrder): boolean {
  if (pricedAt > decidedAt) return false;
  return (
    sentAt === null || !isPriceTooOld({ instrument, pricedAt, now: sentAt, speed: marketSpeed(daySeconds) })
  );
}

function violation({ clientOrderId, pricedAt, decidedAt, sentAt }: PricedOrder): Violation {
  return {
    client_order_id: clientOrderId,
    priced_at: isoText(pricedAt),
    decided_at: isoText(decidedAt),
    sent_at: sentAt && isoText(sentAt),
  };
}
