import { SECOND_MS } from '#units/instant.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { BrokerLists } from '#records/brokerage/broker-requests.ts';
import type { BrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import type { BrokerReading } from './broker-invariants.ts';

/**
 * A broker's lists as the trader reads them over the one session that it owns: a second session would replace its token.
 * What was read counts for one look at all invariants.
 */
export function readingOfTrader(
  questions: BrokerQuestions,
  { id }: Pick<TradingConnection, 'id'>,
  steadyMs: () => number = () => performance.now(),
): BrokerReading {
  let last: { readonly at: number; readonly lists: Promise<BrokerLists | null> } | null = null;
  const ask = async () => {
    const connection = { id, userId: 'operator' } as const;
    const answer = await questions.ask({ kind: 'lists', connection, patienceMs: PATIENCE_MS });
    if (answer?.outcome === 'failed') throw new Error(`${answer.code}: the trader could not read the lists`);
    return answer?.lists ?? null;
  };
  const listsNow = () => {
    if (last === null || steadyMs() - last.at > FRESH_MS) last = { at: steadyMs(), lists: ask() };
    return last.lists;
  };
  const read = async <Key extends keyof BrokerLists>(key: Key): Promise<BrokerLists[Key] | typeof SILENT> => {
    const lists = await listsNow();
    return lists === null ? SILENT : lists[key];
  };
  return {
    orders: () => read('orders'),
    executions: () => read('executions'),
    positions: () => read('positions'),
    cash: () => read('cash'),
  };
}

const SILENT = {
  outcome: 'failed',
  code: 'unreachable',
  reason: 'no trader has read the lists in time: it runs with `npm start` or `npm run trader`',
} as const satisfies BrokerAnswer<never>;
/** The list of orders may be read every five seconds, and a look of the trader may be before. */
const PATIENCE_MS = 40 * SECOND_MS;
/** Less than the pause between two looks, plus the time that a reading takes. */
const FRESH_MS = SECOND_MS;
