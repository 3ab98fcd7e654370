// How the sandbox brokerage reports an execution that it corrects or busts, seen through the adapter.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { z } from 'zod';
import type { BrokerAnswer, BrokerSession } from '#ports/broker.ts';
import type { FAULT } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { inCatalogue } from './in-catalogue.ts';
import { type InProcessHarness, openInProcessHarness, type Person } from './in-process-harness.ts';
import { SATURDAY, fixedPrices } from './fixed-prices.ts';

let harness: InProcessHarness;
let ada: Person;
let session: BrokerSession;
let at: Instant;

beforeEach(async () => {
  at = SATURDAY;
  const realNow = () => Date.parse('2026-02-01T00:00:00Z');
  harness = await openInProcessHarness({
    prices: fixedPrices(),
    now: () => at,
    realNow,
  });
  ada = await harness.person('ada');
  session = await ada.session();
  await session.orders(ada.accountId);
});
afterEach(() => harness.close());

type Revised = Omit<Extract<z.input<typeof FAULT>, { kind: 'revised' }>, 'kind'>;

const later = (minutes: number) => {
  at = instant(at + minutes * MINUTE_MS);
};
const opening = () => {
  at = parseInstant('2026-01-12T14:31:00Z');
};
const buy = (id: string, units: number) =>
  session.submitOrder(ada.accountId, {
    symbol: 'SPY',
    side: 'buy',
    quantity: toQuantity(units),
    limitPrice: 103,
    referencePrice: 100,
    purpose: 'rebalance',
    clientOrderId: id as ClientOrderId,
  } as never);
const orders = async () => inCatalogue(ok(await session.orders(ada.accountId)));
const executions = async () => inCatalogue(ok(await session.executions(ada.accountId, 0 as Instant)));
const revise = (fault: Revised) =>
  harness.script({
    rules: [
      { on: 'fill', times: 1, fault: { kind: 'partial_fill', share: 0.6 } },
      {
        on: 'clock',
        at: '2026-01-12T14:32:00Z',
        account: ada.accountId,
        fault: { kind: 'revised', ...fault },
      },
    ],
  });
const bought = async (fault: Revised) => {
  revise(fault);
  await buy('a', 10);
  opening();
  const [reported] = await executions();
  const { cash } = ok(await session.cash(ada.accountId));
  later(2);
  return { reported: reported!, cash };
};
const held = async () => ok(await session.positions(ada.accountId)).map(({ quantity }) => quantity);
const next = (id: string) => id.replace(/\.01$/, '.02');

for (const beside of [true, false]) {
  it(`has another price under the next revision of its id, and the books follow (${beside})`, async () => {
    const { reported, cash } = await bought({ how: 'price', factor: 0.99, beside });
    const price = Number((reported.price * 0.99).toFixed(2));
    const commission = expect.any(Number);
    const revised = { ...reported, executionId: next(reported.executionId), price, commission };
    expect(await executions()).toMatchObject(beside ? [reported, revised] : [revised]);
    expect(await held()).toEqual([toQuantity(6)]);
    const back = toMicro(6 * (reported.price - price));
    expect(ok(await session.cash(ada.accountId)).cash).toBeCloseTo(cash + back, -5);
  });
}
it('has another quantity, and the returned units trade again while the order is working', async () => {
  const { reported } = await bought({ how: 'quantity', factor: 0.5 });
  expect(await executions()).toMatchObject([
    { executionId: next(reported.executionId), quantity: toQuantity(3), price: reported.price },
  ]);
  expect(await held()).toEqual([toQuantity(3)]);
  expect(await orders()).toMatchObject([{ filled: toQuantity(3), status: 'working' }]);
  later(30);
  const all = await executions();
  expect(all.map(({ quantity }) => quantity)).toEqual([3, 7].map(toQuantity));
  expect(new Set(all.map(({ revisionStem }) => revisionStem)).size).toBe(2);
});
for (const how of ['bust', 'vanished'] as const) {
  it(`is taken back (${how})`, async () => {
    const { reported } = await bought({ how });
    const revised = { executionId: next(reported.executionId), quantity: 0 };
    expect(await executions()).toMatchObject(how === 'bust' ? [revised] : []);
    expect(await held()).toEqual([]);
    expect(ok(await session.cash(ada.accountId)).cash).toBe(toMicro(1_000_000));
  });
}
it('is never of an earlier session', async () => {
  await buy('a', 10);
  opening();
  const reported = await executions();
  harness.script({
    rules: [{ on: 'clock', at: '2026-01-13T14:31:00Z', fault: { kind: 'revised', how: 'bust' } }],
  });
  at = parseInstant('2026-01-13T14:32:00Z');
  expect(await executions()).toEqual(reported);
});

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(answer.reason);
  return answer.value;
}
