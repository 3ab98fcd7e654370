// Whole conversations in which any answer may be corrupted, including sign-in: no call of the port throws, and each report
// on an order is true at the broker. BROKER_MUTATIONS sets how many, as for single answers.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { type InProcessHarness, openInProcessHarness, type Person } from './in-process-harness.ts';
import { mutated, parsed } from './mutated.ts';
import { SATURDAY, fixedPrices } from './fixed-prices.ts';

const RUNS = Math.ceil(Number(process.env.BROKER_MUTATIONS || 10_000) / 50);

let harness: InProcessHarness;
let ada: Person;
/** The connection whose answers are corrupted. It caches contract ids, so a corrupted one stays with it. */
/** Transforms an answer on its way to the adapter. */
let spoil: (text: string) => string = unspoilt;
let count = 0;

beforeAll(async () => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await harness.brokerage.fetch(input, init);
    const text = await answer.text();
    return new Response(answer.status === 200 ? spoil(text) : text, answer);
  };
  const now = () => SATURDAY;
  harness = await openInProcessHarness({
    prices: fixedPrices(),
    now,
    realNow: Date.now,
    config: { fetch },
  });
});
afterAll(() => harness.close());

function unspoilt(text: string): string {
  return text;
}

const order = (id: string) =>
  ({
    symbol: 'SPY',
    side: 'buy',
    quantity: toQuantity(1),
    limitPrice: 103,
    referencePrice: 100,
    purpose: 'rebalance',
    clientOrderId: id as ClientOrderId,
  }) as never;

it('never throw, and never report a false state of an order', async () => {
  const outcomes = new Map<string, number>();
  const note = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.integer({ min: 1, max: 6 }), async (draw, oneIn) => {
      spoil = unspoilt;
      // A fresh account now and then: otherwise growing lists would take most of the time.
      if (count % 50 === 0) ada = await harness.person(`ada-${count}`);
      // Another process each time: one process signs in once for all its sessions.
      const spoiltBroker = harness.anotherProcess();
      spoil = (text) => {
        const body = parsed(text);
        if (body === undefined || draw(fc.nat, { max: oneIn - 1 }) > 0) return text;
        return draw(mutated, body).text;
      };
      const id = `spoilt-${count++}`;
      const opened = await spoiltBroker.openSession(ada.credentials);
      note(`sign-in ${opened.outcome}`);
      if (opened.outcome === 'failed') return;
      const session = opened.value;
      const asked: readonly (() => Promise<BrokerAnswer<unknown>>)[] = [
        () => session.keepAlive(),
        () => session.accounts(),
        () => session.positions(ada.accountId),
        () => session.cash(ada.accountId),
        () => session.orders(ada.accountId),
        () => session.executions(ada.accountId, 0 as Instant),
        () => session.marketData!.quotes(['SPY' as Symbol]),
        () => session.marketData!.search('SPY'),
      ];
      for (const ask of asked) note(`question ${(await ask()).outcome}`);
      const sent = await session.submitOrder(ada.accountId, order(id));
      note(`order ${sent.outcome}`);
      if (sent.outcome === 'accepted') await session.cancelOrder(ada.accountId, sent.brokerOrderId);
      await session.close();

      spoil = unspoilt;
      // The broker's own books: its lists leave out what was sent in an earlier brokerage session.
      const isListed = harness.brokerage.books
        .orders(ada.accountId)
        .some(({ clientOrderId }) => clientOrderId === id);
      if (sent.outcome === 'accepted') expect(isListed).toBe(true);
      if (['not_sent', 'rejected', 'not_confirmed'].includes(sent.outcome)) expect(isListed).toBe(false);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // Both outcomes must occur, or the test would have tried nothing.
  for (const what of ['sign-in failed', 'question ok', 'question failed', 'order accepted', 'order unknown'])
    expect(outcomes.get(what) ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(0);
}, 600_000);
