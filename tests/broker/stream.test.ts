// The websocket on both sides: the adapter hears news early, and polling finds what the stream omits.
import { type Habits, PLAIN_HABITS } from '#sandbox/interactive-brokers/faults/habits.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALLBACK } from '../conformance/broker/steps.ts';
import type { BrokerAnswer, BrokerNews, BrokerSession, QuoteNews } from '#ports/broker.ts';
import { FAULT_SCRIPT } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { type InteractiveBrokersHarness, decide, openHarness } from './interactive-brokers-harness.ts';

let harness: InteractiveBrokersHarness;
let session: BrokerSession;
let accountId: BrokerAccountId;
let news: BrokerNews[];

beforeEach(() => open());
async function open(habits?: Habits) {
  harness = await openHarness(habits && { habits });
  const pending = ok(await harness.broker.beginAuthorization({ callbackUrl: CALLBACK }));
  const verifier = (await decide(pending.authorizeUrl, 'approve', 'ada')) ?? '';
  const { requestToken } = pending;
  const granted = ok(await harness.broker.completeAuthorization({ requestToken, verifier }));
  session = ok(await harness.broker.openSession(granted.credentials));
  accountId = ok(await session.accounts())[0]?.accountId as BrokerAccountId;
  news = [];
  session.onNews?.((one) => news.push(one));
  await until(() => news.some(({ kind }) => kind === 'session'));
}
async function close() {
  await session.close();
  await harness.close();
}
afterEach(() => close());

const script = (rules: readonly object[]) => harness.faults.set(FAULT_SCRIPT.parse({ rules }), harness.now());
const buy = (id: string) =>
  session.submitOrder(
    accountId,
    harness.anOrder({ id, symbol: 'SPY', side: 'buy', quantity: toQuantity(10), limitPrice: 103 }),
  );
const reported = () => news.flatMap((one) => (one.kind === 'execution' ? [one.execution.clientOrderId] : []));

describe('the stream', () => {
  it('reports orders and executions without a request', async () => {
    await buy('a');
    await until(() => news.some((one) => one.kind === 'orders' && one.accountId === accountId));
    harness.passOpening();
    await until(() => reported().length > 0);
    const [early] = news.filter((one) => one.kind === 'execution');
    const [asked] = ok(await session.executions(accountId, 0 as Instant));
    expect(early?.execution).toEqual({ ...asked, account: undefined });
  });

  it('loses a frame and repeats others, and polling finds the lost news', async () => {
    script([
      { on: 'frame', probability: 1, times: 2, fault: { kind: 'frame', how: 'missing' } },
      { on: 'frame', fault: { kind: 'frame', how: 'repeated' } },
    ]);
    await buy('a');
    await buy('b');
    harness.passOpening();
    await until(() => harness.faults.journal.length >= 4);
    const executions = ok(await session.executions(accountId, 0 as Instant));
    expect(executions.map(({ clientOrderId }) => clientOrderId).sort()).toEqual(['a', 'b']);
  });

  it('says at once when another program takes the session', async () => {
    harness.holdElsewhere('ada');
    await until(() => session.sessionState().status === 'competing');
    expect(news.at(-1)).toMatchObject({ kind: 'session', state: { status: 'competing' } });
  });

  it('reports the watched prices as they change', async () => {
    const heard: QuoteNews[] = [];
    const prices = () => heard.flatMap((one) => (one.kind === 'quote' ? [one.quote] : []));
    const end = ok(await session.marketData!.watch!(['SPY' as Symbol], (one) => heard.push(one)));
    await until(() => prices().length > 0);
    harness.moveTo(parseInstant('2026-01-13T15:00:00Z'));
    await until(() => prices().some(({ last }) => last?.toFixed(2) === '101.50'));
    expect(prices().at(-1)).toMatchObject({ symbol: 'SPY', status: 'live' });
    expect(heard.map(({ kind }) => kind)).not.toContain('gap');
    harness.holdElsewhere('ada');
    await until(() => heard.at(-1)?.kind === 'gap');
    end();
    const before = heard.length;
    await session.keepAlive();
    expect(heard).toHaveLength(before);
  });
});

describe('prices that are asked for', () => {
  it('come after the empty first answer, with the kind of each price', async () => {
    const quotes = ok((await session.marketData?.quotes(['SPY' as Symbol])) ?? never());
    expect(quotes).toEqual([expect.objectContaining({ symbol: 'SPY', last: 100, status: 'close' })]);
  });
  it('and contracts are found by their symbol', async () => {
    const found = ok((await session.marketData?.search('spy')) ?? never());
    expect(found).toEqual([expect.objectContaining({ symbol: 'SPY', name: 'THE SPY' })]);
    // In words that nobody published, a search that found nothing is a search that failed.
    expect((await session.marketData?.search('nothing'))?.outcome).toBe('failed');
  });
  it('and a search that finds nothing says so in the published words', async () => {
    await close();
    await open(PLAIN_HABITS);
    expect(ok((await session.marketData?.search('nothing')) ?? never())).toEqual([]);
  });
});

function never(): never {
  throw new Error('there is no market data');
}

async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 200; look++) {
    if (isSo()) return;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error('it did not happen within ten seconds');
}

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
