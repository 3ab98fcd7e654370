// What the broker said to orders that were sent, of many accounts in one transaction.
import type { Tries } from '#engine/execution/back-off.ts';
import type { OrderRecord, OrderUpdate } from '#engine/execution/orders/order-record.ts';
import { type SubmitTransition, submitUpdate } from '#engine/execution/orders/submit-result.ts';
import { changeOrder, lockOrders, markWorking } from '#records/execution/orders.ts';
import type { OrderId } from '#units/identifiers.ts';
import { createGathering } from '../connections/gathering.ts';
import type { TradingContext } from '../trading-context.ts';

type Answered = {
  readonly context: TradingContext;
  readonly order: OrderRecord;
  readonly transition: Extract<SubmitTransition, { type: 'change' }>;
  /** Of an order that could not be sent, and waits for its next try. */
  readonly sendTries: Tries | null;
};

export function createAnswers(): (answered: Answered) => Promise<'recorded'> {
  return createGathering<Answered, 'recorded'>({
    serve: recordAnswers,
    together: ({ context }) => context.report,
    apart: ({ order }) => order.id,
  });
}

async function recordAnswers(all: readonly Answered[]): Promise<ReadonlyMap<Answered, 'recorded'>> {
  const { database, lease } = all[0]!.context;
  await database.transaction().execute(async (trx) => {
    await lease.fence(
      trx,
      all.map(({ order }) => order.connectionId),
    );
    const orders = await lockOrders(
      trx,
      all.map(({ order }) => order.id),
    );
    const accepted: { readonly id: OrderId; readonly brokerOrderId: string }[] = [];
    for (const { order, transition, sendTries } of all) {
      const update = submitUpdate(orders.get(order.id)!, transition);
      if (update === null) continue;
      if (isAcceptance(update)) accepted.push({ id: order.id, brokerOrderId: update.brokerOrderId });
      else await changeOrder(trx, order.id, sendTries === null ? update : { ...update, sendTries });
    }
    await markWorking(trx, accepted);
  });
  return new Map(all.map((one) => [one, 'recorded']));
}

function isAcceptance(update: OrderUpdate): update is OrderUpdate & { readonly brokerOrderId: string } {
  return update.status === 'working' && update.reason === null && typeof update.brokerOrderId === 'string';
}
