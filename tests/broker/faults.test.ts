// Every fault that a script of the sandbox brokerage can cause, seen through the adapter.
import { type Habits, PLAIN_HABITS } from '#sandbox/interactive-brokers/faults/habits.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrokerAnswer, BrokerSession } from '#ports/broker.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { type InProcessHarness, openInProcessHarness, type Person } from './in-process-harness.ts';
import { inCatalogue } from './in-catalogue.ts';
import { SATURDAY, type FixedPrices, fixedPrices } from './fixed-prices.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

let harness: InProcessHarness;
let ada: Person;
let session: BrokerSession;
let at: Instant;
let realAt: number;
let prices: FixedPrices;

beforeEach(() => {
  at = SATURDAY;
  prices = fixedPrices();
  realAt = Date.parse('2026-02-01T00:00:00Z');
  return open();
});
async function open(habits?: Habits) {
  harness = await openInProcessHarness({
    prices,
    now: () => at,
    realNow: () => realAt,
    ...(habits && { habits }),
  });
  ada = await harness.person('ada');
  session = await ada.session();
  await session.orders(ada.accountId);
}
/** For a claim about the words of a refusal, which the habits replace. */
function openPlain() {
  harness.close();
  return open(PLAIN_HABITS);
}
afterEach(() => harness.close());

const later = (minutes: number) => {
  at = instant(at + minutes * MINUTE_MS);
};
const opening = () => {
  at = parseInstant('2026-01-12T14:31:00Z');
};
const buy = (id: string, units = 10, limitPrice = 103) =>
  session.submitOrder(ada.accountId, {
    symbol: 'SPY',
    side: 'buy',
    quantity: toQuantity(units),
    limitPrice,
    referencePrice: 100,
    purpose: 'rebalance',
    clientOrderId: id as ClientOrderId,
  } as never);
const orders = async () => inCatalogue(ok(await session.orders(ada.accountId)));
const executions = async () => inCatalogue(ok(await session.executions(ada.accountId, 0 as Instant)));
const ids = async () => (await orders()).map(({ clientOrderId }) => clientOrderId);

describe('an answer that is lost', () => {
  for (const how of ['close', 'silence'] as const) {
    it(`before the order was read (${how}): unknown, and no order`, async () => {
      harness.script({ rules: [{ on: 'submit', nth: 1, fault: { kind: 'lost', when: 'before', how } }] });
      expect((await buy('a')).outcome).toBe('unknown');
      expect(await ids()).toEqual([]);
    });
    it(`after the order was taken (${how}): unknown, and one order`, async () => {
      harness.script({ rules: [{ on: 'submit', nth: 1, fault: { kind: 'lost', when: 'after', how } }] });
      expect((await buy('a')).outcome).toBe('unknown');
      expect(await ids()).toEqual(['a']);
    });
  }
});

describe('an answer that cannot be trusted', () => {
  const spoiled = [
    { kind: 'html' },
    { kind: 'truncated' },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 502, body: '<html>' },
    { kind: 'outage', seconds: 1 },
  ] as const;
  for (const fault of spoiled)
    it(`to an order (${JSON.stringify(fault)}) leaves it unknown`, async () => {
      harness.script({ seed: 7, rules: [{ on: 'submit', nth: 1, fault }] });
      expect((await buy('a')).outcome).toBe('unknown');
    });
  for (const fault of spoiled)
    it(`to a list of executions (${JSON.stringify(fault)}) is a failure, not a list`, async () => {
      await buy('a');
      opening();
      expect(await executions()).toHaveLength(1);
      harness.script({ seed: 7, rules: [{ on: 'trades', fault, times: 1 }] });
      expect((await session.executions(ada.accountId, 0 as Instant)).outcome).toBe('failed');
    });
  for (const how of ['huge', 'words', 'missing'] as const)
    it(`to a list of executions (numbers ${how}) is a row that cannot be read, never an empty list`, async () => {
      await buy('a');
      opening();
      harness.script({ seed: 7, rules: [{ on: 'trades', fault: { kind: 'numbers', how }, times: 1 }] });
      const odd = { list: 'executions', clientOrderId: 'a', instrument: { type: 'listed' } };
      expect(await session.executions(ada.accountId, 0 as Instant)).toMatchObject({
        value: [],
        unread: [odd],
      });
    });
  it('of another account is not read as the client’s', async () => {
    await buy('a');
    opening();
    harness.script({
      rules: [
        { on: 'trades', fault: { kind: 'wrong_account' } },
        { on: 'orders', fault: { kind: 'wrong_account' } },
      ],
    });
    const trades = await session.executions(ada.accountId, 0 as Instant);
    expect(trades.outcome === 'ok' ? trades.value : []).toEqual([]);
    const listed = await session.orders(ada.accountId);
    expect(listed.outcome === 'ok' ? listed.value : []).toEqual([]);
  });
});

describe('wrong lists', () => {
  it('omit an order for as long as the script says', async () => {
    harness.script({ rules: [{ on: 'submit', fault: { kind: 'hidden', minutes: 15 } }] });
    await buy('a');
    expect(await ids()).toEqual([]);
    later(14);
    expect(await ids()).toEqual([]);
    later(1);
    expect(await ids()).toEqual(['a']);
  });
  it('come empty, in part, or twice', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await buy(id, 1);
    harness.script({ rules: [{ on: 'orders', fault: { kind: 'list', how: 'empty' } }] });
    expect(await ids()).toEqual([]);
    harness.script({ seed: 3, rules: [{ on: 'orders', fault: { kind: 'list', how: 'partial' } }] });
    expect((await ids()).length).toBeLessThan(6);
    opening();
    harness.script({ rules: [{ on: 'trades', fault: { kind: 'list', how: 'repeated' } }] });
    expect(new Set((await executions()).map(({ executionId }) => executionId)).size).toBe(6);
  });
  it('repeat the whole history', async () => {
    await buy('a');
    opening();
    harness.script({ rules: [{ on: 'trades', fault: { kind: 'list', how: 'whole_history' } }] });
    later(60 * 24 * 30);
    realAt += 86_400_000;
    session = await ada.session();
    expect(await executions()).toHaveLength(1);
  });
});

describe('what the broker does with an order', () => {
  it('asks a known question, and the adapter answers it', async () => {
    harness.script({
      rules: [{ on: 'submit', fault: { kind: 'questions', messageIds: ['o403', 'o10153', 'o10331'] } }],
    });
    expect((await buy('a')).outcome).toBe('accepted');
  });
  it('asks an unknown one at the end of a chain, and the adapter declines', async () => {
    harness.script({
      rules: [{ on: 'submit', fault: { kind: 'questions', messageIds: ['o403', 'o99999'] } }],
    });
    expect((await buy('a')).outcome).toBe('not_confirmed');
    expect(await ids()).toEqual([]);
  });
  it('forgets its own question, which leaves the order unknown', async () => {
    await openPlain();
    harness.script({
      rules: [{ on: 'submit', fault: { kind: 'questions', messageIds: ['o403'], expired: true } }],
    });
    expect((await buy('a')).outcome).toBe('unknown');
    expect(await ids()).toEqual([]);
  });
  it('rejects it', async () => {
    await openPlain();
    harness.script({ rules: [{ on: 'submit', fault: { kind: 'reject', text: 'No trading permissions.' } }] });
    expect(await buy('a')).toEqual({ outcome: 'rejected', said: 'No trading permissions.' });
  });
  it('accepts it and sets it aside', async () => {
    harness.script({
      rules: [
        { on: 'submit', nth: 1, fault: { kind: 'inactive' } },
        { on: 'submit', nth: 2, fault: { kind: 'inactive', text: 'Margin' } },
      ],
    });
    await buy('a');
    await buy('b');
    expect((await orders()).map(({ status, note }) => [status, note])).toEqual([
      ['attention', ''],
      ['rejected', 'Margin'],
    ]);
  });
  it('fills it in parts', async () => {
    harness.script({ rules: [{ on: 'fill', times: 2, fault: { kind: 'partial_fill', share: 0.5 } }] });
    await buy('a', 100);
    opening();
    expect((await orders())[0]).toMatchObject({ status: 'working', filled: toQuantity(50) });
    later(15);
    expect((await executions()).map(({ quantity }) => quantity)).toEqual([50, 25].map(toQuantity));
    later(15);
    expect((await orders())[0]).toMatchObject({ status: 'filled' });
    expect((await executions()).map(({ quantity }) => quantity)).toEqual([50, 25, 25].map(toQuantity));
  });
  it('fills it before the cancellation', async () => {
    harness.script({ rules: [{ on: 'cancel', fault: { kind: 'fill_wins' } }] });
    const result = await buy('a', 10, 50);
    const id = result.outcome === 'accepted' ? result.brokerOrderId : '';
    expect((await session.cancelOrder(ada.accountId, id)).outcome).toBe('requested');
    expect((await orders())[0]?.status).toBe('filled');
  });
  it('is slow to cancel', async () => {
    harness.script({ rules: [{ on: 'cancel', fault: { kind: 'slow_cancel', minutes: 10 } }] });
    const result = await buy('a', 10, 50);
    const id = result.outcome === 'accepted' ? result.brokerOrderId : '';
    await session.cancelOrder(ada.accountId, id);
    expect((await orders())[0]?.status).toBe('working');
    later(10);
    expect((await orders())[0]?.status).toBe('cancelled');
  });
  it('accepts the same client order id twice if the script says so', async () => {
    harness.script({ rules: [{ on: 'submit', fault: { kind: 'takes_repeats' } }] });
    await buy('a');
    expect((await buy('a')).outcome).toBe('accepted');
    expect(await ids()).toEqual(['a', 'a']);
  });
});

describe('the session', () => {
  it('is blocked during the penalty after a 429, and the adapter sends nothing meanwhile', async () => {
    harness.script({ rules: [{ on: 'positions', nth: 1, fault: { kind: 'penalty_box' } }] });
    expect(await session.positions(ada.accountId)).toMatchObject({ code: 'rate_limited' });
    const asked = harness.brokerage.faults.journal.length;
    expect(await buy('a')).toMatchObject({ outcome: 'not_sent', code: 'rate_limited' });
    expect(harness.brokerage.faults.journal.length).toBe(asked);
    realAt += 601_000;
    await session.keepAlive();
    expect((await buy('a')).outcome).toBe('accepted');
  });
  it('recovers by itself when lost', async () => {
    harness.script({ rules: [{ on: 'orders', nth: 1, fault: { kind: 'session_lost' } }] });
    expect(await ids()).toEqual([]);
    expect((await buy('a')).outcome).toBe('accepted');
  });
  it('continues after its tokens expire', async () => {
    harness.script({ rules: [{ on: 'cash', nth: 1, fault: { kind: 'token_lost' } }] });
    expect(ok(await session.cash(ada.accountId)).cash).toBe(toMicro(1_000_000));
    await session.keepAlive();
    expect((await buy('a')).outcome).toBe('accepted');
  });
  it('goes to a competing program, and comes back when the person leaves it', async () => {
    await buy('a');
    harness.script({
      rules: [
        { on: 'cash', nth: 1, fault: { kind: 'competing' } },
        { on: 'cash', nth: 2, fault: { kind: 'competing_ends' } },
      ],
    });
    await session.cash(ada.accountId);
    expect(ok(await session.keepAlive()).status).toBe('competing');
    expect(await buy('b')).toMatchObject({ outcome: 'not_sent', code: 'no_session' });
    expect(session.sessionState().status).toBe('competing');
    await session.cash(ada.accountId);
    expect(ok(await session.keepAlive()).status).toBe('connected');
    expect((await buy('b')).outcome).toBe('accepted');
  });
  it('is read-only while trading is forbidden, and trades again when it is allowed', async () => {
    await buy('a');
    harness.script({
      rules: [
        { on: 'cash', nth: 1, fault: { kind: 'trading_forbidden' } },
        { on: 'cash', nth: 2, fault: { kind: 'trading_allowed' } },
      ],
    });
    await session.cash(ada.accountId);
    expect(await session.orders(ada.accountId)).toMatchObject({ outcome: 'failed', code: 'refused' });
    expect(session.sessionState().status).toBe('read_only');
    expect(await buy('b')).toMatchObject({ outcome: 'not_sent', code: 'refused' });
    expect((await session.positions(ada.accountId)).outcome).toBe('ok');
    await session.cash(ada.accountId);
    expect((await buy('b')).outcome).toBe('accepted');
    expect(session.sessionState().status).toBe('connected');
  });
  it('is lost while there are no answers, and degraded while all answers are failures', async () => {
    expect(session.sessionState()).toMatchObject({ status: 'connected', answeredAt: realAt });
    harness.script({ rules: [{ on: 'any', fault: { kind: 'lost', when: 'before' } }] });
    await session.keepAlive();
    expect(session.sessionState().status).toBe('lost');
    harness.script({ rules: [{ on: 'any', fault: { kind: 'status', status: 503 } }] });
    await session.keepAlive();
    expect(session.sessionState().status).toBe('degraded');
    harness.script({});
    await session.keepAlive();
    expect(session.sessionState().status).toBe('connected');
  });
  it('is read-only until an order needs it', async () => {
    const reader = await ada.session();
    await reader.cash(ada.accountId);
    expect(reader.sessionState().status).toBe('read_only');
  });
  it('ends with the nightly interruption, by its own clock', async () => {
    harness.script({ resets: true });
    at = parseInstant('2026-01-14T04:45:00Z');
    expect(harness.broker.resetAt(wallInstantOf(at))?.kind).toBe('daily');
    expect((await session.orders(ada.accountId)).outcome).toBe('failed');
    expect((await session.positions(ada.accountId)).outcome).toBe('ok');
    expect((await buy('a')).outcome).not.toBe('accepted');
    at = parseInstant('2026-01-14T05:45:00Z');
    await session.keepAlive();
    expect((await buy('b')).outcome).toBe('accepted');
  });
});

describe('a protective stop', () => {
  const place = async () => {
    await buy('a');
    opening();
    const stop = {
      symbol: 'SPY',
      side: 'sell',
      quantity: toQuantity(10),
      limitPrice: 1,
      purpose: 'stop_loss',
      clientOrderId: 'stop',
    };
    const result = await session.submitStop?.(ada.accountId, stop as never, 100.2);
    expect(result?.outcome).toBe('accepted');
    expect((await orders()).at(-1)).toMatchObject({
      clientOrderId: 'stop',
      stopPrice: 100.2,
      limitPrice: null,
      status: 'working',
    });
  };

  it('sells at the market when its price trades', async () => {
    await place();
    later(60);
    expect((await orders()).at(-1)).toMatchObject({ status: 'working' });
    prices.fallTo(0.99);
    later(60);
    expect((await executions()).at(-1)).toMatchObject({
      clientOrderId: 'stop',
      side: 'sell',
      quantity: toQuantity(10),
    });
    expect(ok(await session.positions(ada.accountId))).toEqual([]);
  });

  it('ends with the session in which it was placed', async () => {
    await place();
    later(60 * 20);
    expect((await orders()).filter(({ status }) => status === 'working')).toEqual([]);
    prices.fallTo(0.99);
    later(60 * 24);
    expect((await executions()).filter(({ clientOrderId }) => clientOrderId === 'stop')).toEqual([]);
    expect(ok(await session.positions(ada.accountId))).toMatchObject([{ quantity: toQuantity(10) }]);
  });
});

describe('what the person does', () => {
  it('appears as executions without an order, as less cash, and as an unexplained position', async () => {
    harness.script({
      rules: [
        {
          on: 'clock',
          at: '2026-01-12T15:00:00Z',
          account: ada.accountId,
          fault: { kind: 'external_trade', symbol: 'SPY', side: 'BUY', units: 3 },
        },
        {
          on: 'clock',
          at: '2026-01-12T15:30:00Z',
          account: ada.accountId,
          fault: { kind: 'withdraw', dollars: 1_000 },
        },
        {
          on: 'clock',
          at: '2026-01-12T16:00:00Z',
          account: ada.accountId,
          fault: { kind: 'drift', symbol: 'SPY', units: -1 },
        },
      ],
    });
    at = parseInstant('2026-01-12T16:30:00Z');
    const [execution] = await executions();
    expect(execution).toMatchObject({ clientOrderId: null, quantity: toQuantity(3), side: 'buy' });
    expect(ok(await session.positions(ada.accountId))[0]?.quantity).toBe(toQuantity(2));
    const spent = 3 * (execution?.price ?? 0) + (execution?.commission ?? 0) / 1e6 + 1_000;
    expect(ok(await session.cash(ada.accountId)).cash).toBeCloseTo(toMicro(1_000_000 - spent), -1);
  });
});

describe('a fraction left by a split', () => {
  it('can be sold with whole shares or by itself, and cannot be bought', async () => {
    const held = { kind: 'drift', symbol: 'SPY', units: 12.5 } as const;
    harness.script({
      rules: [{ on: 'clock', at: '2026-01-12T14:00:00Z', account: ada.accountId, fault: held }],
    });
    opening();
    const trade = (side: 'buy' | 'sell', units: number) =>
      session.submitOrder(ada.accountId, {
        symbol: 'SPY',
        side,
        quantity: toQuantity(units),
        limitPrice: side === 'buy' ? 103 : 97,
        referencePrice: 100,
        purpose: 'rebalance',
        clientOrderId: `${side} ${units}` as ClientOrderId,
      } as never);
    expect((await trade('buy', 0.5)).outcome).toBe('rejected');
    expect((await trade('sell', 13.5)).outcome).toBe('rejected');
    expect((await trade('sell', 12)).outcome).toBe('accepted');
    expect((await trade('sell', 0.5)).outcome).toBe('accepted');
    expect(ok(await session.positions(ada.accountId))).toEqual([]);
  });
});

describe('the script', () => {
  it('does the same twice with one seed, and something else with another', async () => {
    const run = async (seed: number) => {
      harness.script({
        seed,
        rules: [{ on: 'cash', probability: 0.5, fault: { kind: 'status', status: 503 } }],
      });
      const outcomes: string[] = [];
      for (let call = 0; call < 24; call++) outcomes.push((await session.cash(ada.accountId)).outcome);
      return outcomes.join();
    };
    const first = await run(1);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  });
  it('is set and read over loopback, and an invalid one is refused with the name of the field', async () => {
    const { app } = harness.brokerage;
    const payload = { seed: 5, rules: [{ on: 'submit', nth: 2, fault: { kind: 'html' } }] };
    const set = await app.inject({ method: 'POST', url: '/sandbox/faults', payload });
    expect(set.json()).toMatchObject({ script: payload, happened: [] });
    const wrong = await app.inject({
      method: 'POST',
      url: '/sandbox/faults',
      payload: { rules: [{ on: 'sumbit', fault: { kind: 'html' } }] },
    });
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining('rules[0].on')]);
    const foreign = await app.inject({
      method: 'POST',
      url: '/sandbox/faults',
      payload,
      remoteAddress: '10.0.0.7',
    });
    expect(foreign.statusCode).toBe(403);
  });
});

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
