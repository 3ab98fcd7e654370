// One order on its way into a practice account.
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { Rejection } from '#engine/practice/enter-order.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import { isPriced } from '#engine/practice/buying-power.ts';
import { isCovered, lookAndEnter } from '#engine/practice/look.ts';
import { practiceOrderId, unchanged } from '#engine/practice/practice-account.ts';
import type { SubmitResult, SubmitTerms } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import type { PracticeStore } from './practice-store.ts';
import type { MarketReader } from './read-market.ts';
import type { StoreLine } from './store-line.ts';

type Place = {
  readonly ask: StoreLine['ask'];
  readonly store: PracticeStore;
  readonly market: MarketReader;
  readonly accountId: BrokerAccountId;
};

export async function submitOrder(
  { ask, store, market, accountId }: Place,
  order: ApprovedOrder,
  { stopPrice, mayLeave }: { readonly stopPrice: number | null } & SubmitTerms,
): Promise<SubmitResult> {
  const account = await ask(() => store.read(accountId));
  if (account.outcome === 'failed') return notSent(account.code, account.reason);
  const clock = await market.clock();
  if (!clock.ok) return notSent('unreachable', clock.message);
  const seen = await market.read(account.value, clock.value, order.symbol);
  if (!seen.ok) return notSent('unreachable', seen.message);
  // A price that is missing comes back; nothing is decided without it.
  if (seen.value.instruments.has(order.symbol) && !isPriced(account.value, [order.symbol], seen.value))
    return notSent('unreachable', 'something that the account holds or orders has no price now');
  if (mayLeave?.() === false) return notSent('refused', 'it was held back at the last moment');
  const orderId = practiceOrderId(order.clientOrderId);
  const answer = await ask(() =>
    store.change<SubmitResult>(accountId, orderId, (before, earlier) => {
      if (earlier !== null)
        return { change: unchanged(before), result: { outcome: 'unknown', reason: 'it was taken before' } };
      if (!isCovered(before, seen.value))
        return { change: unchanged(before), result: notSent('unreachable', 'the account changed meanwhile') };
      const { change, entered } = lookAndEnter(before, { ...order, stopPrice }, seen.value);
      if (entered.outcome === 'rejected')
        return { change, result: { outcome: 'rejected', said: said(entered.why, order.symbol) } };
      return { change, result: { outcome: 'accepted', brokerOrderId: orderId } };
    }),
  );
  return answer.outcome === 'failed' ? { outcome: 'unknown', reason: answer.reason } : answer.value;
}

function said(why: Rejection, symbol: string): string {
  if (why.code !== 'buying_power')
    return why.code === 'not_traded'
      ? `${symbol} is not traded here`
      : 'the quantity is no multiple of the smallest that trades';
  const dollars = (amount: Micro) => `$${fromMicro(amount).toFixed(2)}`;
  return `the order needs ${dollars(why.needed)} and the account has ${dollars(why.available)}`;
}

export function notSent(code: BrokerFailureCode, reason: string): SubmitResult {
  return { outcome: 'not_sent', code, reason };
}
