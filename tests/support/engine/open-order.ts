import type { OpenOrder } from '#engine/execution/orders/open-order.ts';
import type { RecordedOrder } from '#engine/order/approved-order.ts';
import type { ClientOrderId, DeploymentId, OrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';

export const AAA = 'AAA' as Symbol;
/** A Monday morning in a session of the American exchanges. */
export const MONDAY = instant(Date.UTC(2026, 2, 2, 15));

type Asked = Partial<Omit<OpenOrder, 'decided'>> &
  Partial<Omit<RecordedOrder, 'quantity'>> & { units?: number };

/** A sale of 10 AAA at 90 that is written and has not left, unless said otherwise. */
export function openOrder({ units = 10, ...asked }: Asked = {}): OpenOrder {
  const id = asked.id ?? ('1' as OrderId);
  const decided: RecordedOrder = {
    deploymentId: 'D' as DeploymentId,
    clientOrderId: `BW${id}` as ClientOrderId,
    symbol: AAA,
    side: 'sell',
    quantity: toQuantity(units),
    limitPrice: 90,
    referencePrice: 100,
    purpose: 'rebalance',
    cause: 'cause',
    attempt: 1,
    decidedAt: MONDAY,
    ...pick(asked, DECIDED),
  };
  return {
    id,
    decided,
    status: 'intended',
    reason: null,
    filled: toQuantity(0),
    brokerOrderId: null,
    sentAt: null,
    visibility: 'never_shown',
    absentSince: null,
    sendTries: null,
    cancelTries: null,
    cancelLooks: 0,
    ...pick(asked, RECORDED),
  };
}

const DECIDED = [
  'deploymentId',
  'clientOrderId',
  'symbol',
  'side',
  'limitPrice',
  'referencePrice',
  'purpose',
  'cause',
  'attempt',
  'decidedAt',
] as const;
const RECORDED = [
  'status',
  'reason',
  'filled',
  'brokerOrderId',
  'sentAt',
  'visibility',
  'absentSince',
  'sendTries',
  'cancelTries',
  'cancelLooks',
] as const;

function pick<Value extends object, Key extends keyof Value>(
  value: Value,
  keys: readonly Key[],
): Partial<Pick<Value, Key>> {
  const found: Partial<Pick<Value, Key>> = {};
  for (const key of keys) if (key in value) found[key] = value[key];
  return found;
}
