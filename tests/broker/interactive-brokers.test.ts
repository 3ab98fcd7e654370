import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALLBACK } from '../conformance/broker/steps.ts';
import type { BrokerAnswer, BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { micro, toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { inCatalogue } from './in-catalogue.ts';
import { type InteractiveBrokersHarness, decide, openHarness } from './interactive-brokers-harness.ts';

let harness: InteractiveBrokersHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

describe('the sandbox brokerage, seen through the adapter', () => {
  let session: BrokerSession;
  let accountId: BrokerAccountId;

  beforeEach(async () => {
    const pending = ok(await harness.broker.beginAuthorization({ callbackUrl: CALLBACK }));
    const verifier = await decide(pending.authorizeUrl, 'approve', 'ada');
    const { requestToken } = pending;
    const granted = ok(
      await harness.broker.completeAuthorization({ requestToken, verifier: verifier ?? '' }),
    );
    expect(granted.isPaper).toBe(true);
    session = ok(await harness.broker.openSession(granted.credentials));
    accountId = ok(await session.accounts())[0]?.accountId as BrokerAccountId;
  });

  const buy = (id: string, symbol: string, units: number, limitPrice: number) =>
    session.submitOrder(
      accountId,
      harness.anOrder({ id, symbol, side: 'buy', quantity: toQuantity(units), limitPrice }),
    );
  const sell = (id: string, symbol: string, units: number, limitPrice: number) =>
    session.submitOrder(
      accountId,
      harness.anOrder({ id, symbol, side: 'sell', quantity: toQuantity(units), limitPrice }),
    );
  const executions = async () => ok(await session.executions(accountId, 0 as Instant));

  it("fills an order of Saturday at Monday's open, even if the next look is on Wednesday", async () => {
    await buy('w', 'SPY', 10, 103);
    harness.moveTo(parseInstant('2026-01-14T12:00:00Z'));
    const [execution] = await executions();
    expect(execution?.at).toBe(parseInstant('2026-01-12T14:30:00Z'));
    expect(execution?.price).toBe(100);
    expect(execution?.commission).toBe(toMicro(0.5));
    expect(ok(await session.cash(accountId)).cash).toBe(toMicro(1_000_000 - 1_000 - 0.5));
  });

  it('settles a currency pair by its profit alone, in dollars', async () => {
    await buy('e', 'EURUSD', 10_000, 1.13);
    await buy('j', 'USDJPY', 10_000, 155);
    harness.moveTo(parseInstant('2026-01-12T12:00:00Z'));
    const opened = await executions();
    expect(opened.map(({ symbol, price }) => [symbol, price])).toEqual([
      ['EURUSD', 1.1],
      ['USDJPY', 150],
    ]);
    const cash = ok(await session.cash(accountId));
    expect(cash.cash).toBe(toMicro(1_000_000 - 0.22 - 0.2));
    const positions = ok(await session.positions(accountId));
    expect(positions.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([
      ['EURUSD', toQuantity(10_000)],
      ['USDJPY', toQuantity(10_000)],
    ]);
    await sell('j2', 'USDJPY', 10_000, 145);
    const closed = (await executions()).at(-1);
    const profitDollars = ((closed?.price ?? 0) - 150) * 10_000;
    const rate = 150 * 1.005;
    const after = ok(await session.cash(accountId)).cash;
    const expected = cash.cash + toMicro(profitDollars / rate) - (closed?.commission ?? 0);
    expect(Math.abs(after - expected)).toBeLessThanOrEqual(2);
  });

  it('trades fractions of a coin at once, on a weekend', async () => {
    await buy('b', 'BTCUSD', 0.1234, 41_000);
    const [execution] = await executions();
    expect(execution?.quantity).toBe(toQuantity(0.1234));
    expect(execution?.symbol).toBe('BTCUSD');
    expect(ok(await session.positions(accountId))[0]?.symbol).toBe('BTCUSD');
  });

  it('sells short within the margin and gives the proceeds back when bought again', async () => {
    await sell('s', 'SPY', 100, 97);
    harness.passOpening();
    expect(ok(await session.positions(accountId))[0]?.quantity).toBe(toQuantity(-100));
    expect(ok(await session.cash(accountId)).cash).toBe(toMicro(1_000_000 + 10_000 - 5));
    expect((await sell('s2', 'SPY', 19_000, 97)).outcome).toBe('accepted');
    expect((await sell('s3', 'SPY', 1_900, 97)).outcome).toBe('rejected');
  });

  it('asks before a limit far from the market, and the adapter declines', async () => {
    const result = await buy('g', 'SPY', 1, 120);
    // In any language: the decision hangs on the question's id.
    const question = expect.stringMatching(/./);
    expect(result).toEqual({ outcome: 'not_confirmed', topic: 'price', question });
    expect(inCatalogue(ok(await session.orders(accountId)))).toEqual([]);
  });

  it('refuses fractions of a share', async () => {
    expect(await buy('f', 'SPY', 1.5, 103)).toMatchObject({ outcome: 'rejected' });
  });

  it('sends nothing while another program holds the user name, and reads on', async () => {
    harness.holdElsewhere('ada');
    const result = await buy('c', 'SPY', 1, 103);
    expect(result).toMatchObject({ outcome: 'not_sent', code: 'no_session' });
    expect(ok(await session.keepAlive()).status).toBe('competing');
    expect(ok(await session.positions(accountId))).toEqual([]);
    expect(ok(await session.cash(accountId)).cash).toBe(micro(1_000_000_000_000));
  });

  it('does not know a symbol that is not listed', async () => {
    expect(await buy('n', 'NOPE', 1, 1)).toMatchObject({ outcome: 'not_sent', code: 'refused' });
  });
});

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
