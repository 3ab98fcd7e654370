// The read-only half: accounts, positions and cash need no trading session, so they are known even when trading is not possible.
import type { BrokerAccount, BrokerAnswer } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { reading } from '../answer-fields.ts';
import { bodyOf, failed } from '../exchange.ts';
import { failureOf } from './failure-of.ts';
import type { Connection } from './connection.ts';
import { parseAccounts, parsePositions, type PositionRow } from './parse-portfolio.ts';

export type Portfolio = {
  accounts(): Promise<BrokerAnswer<readonly BrokerAccount[]>>;
  positions(accountId: BrokerAccountId): Promise<BrokerAnswer<readonly PositionRow[]>>;
  /** Of an account that the list named; null before it was asked for. */
  currencyOf(accountId: BrokerAccountId): string | null;
  /** Asks one of the /portfolio paths, which the vendor answers only after the account list was asked for. */
  ask(path: string): Promise<BrokerAnswer<unknown>>;
};

export function createPortfolio(connection: Connection): Portfolio {
  let primed = false;
  const currencies = new Map<BrokerAccountId, string>();
  let hasRecentList = true;

  const get = async (path: string): Promise<BrokerAnswer<unknown>> => {
    const result = await connection.query({ method: 'GET', path, priority: 'reconcile' });
    return failureOf(result) ?? { outcome: 'ok', value: bodyOf(result) };
  };

  let asking: Promise<BrokerAnswer<readonly BrokerAccount[]>> | null = null;
  const accounts = (): Promise<BrokerAnswer<readonly BrokerAccount[]>> => {
    // May be asked every few seconds only: whoever waits for the same answer shares it.
    asking ??= get('/portfolio/accounts')
      .then((answer) => {
        if (answer.outcome === 'failed') return answer;
        primed = true;
        const list = reading(() => parseAccounts(answer.value));
        if (list.outcome === 'ok')
          for (const { accountId, currency } of list.value) currencies.set(accountId, currency);
        return list;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  };

  const ask = async (path: string): Promise<BrokerAnswer<unknown>> => {
    if (!primed) {
      const first = await accounts();
      if (first.outcome === 'failed') return first;
    }
    const answer = await get(path);
    if (answer.outcome === 'ok' || !/query \/accounts first/i.test(answer.reason)) return answer;
    const again = await accounts();
    return again.outcome === 'failed' ? again : get(path);
  };

  const pages = async (accountId: BrokerAccountId): Promise<BrokerAnswer<readonly PositionRow[]>> => {
    // These pages are kept by the vendor: what it has kept is thrown away first.
    const path = `/portfolio/${accountId}/positions/invalidate`;
    const emptied = await connection.query({ method: 'POST', path, priority: 'reconcile' });
    const failure = failureOf(emptied);
    if (failure && failure.code !== 'refused') return failure;
    const rows: PositionRow[] = [];
    for (let page = 0; page < PAGES_MAX; page++) {
      const answer = await ask(`/portfolio/${accountId}/positions/${page}`);
      if (answer.outcome === 'failed') return answer;
      const parsed = reading(() => parsePositions(answer.value));
      if (parsed.outcome === 'failed') return parsed;
      rows.push(...parsed.value);
      if (Array.isArray(answer.value) && answer.value.length < PAGE_ROWS)
        return { outcome: 'ok', value: rows };
    }
    return failed('unreadable', 'the position list does not end');
  };

  return {
    accounts,
    ask,
    currencyOf: (accountId) => currencies.get(accountId) ?? null,
    async positions(accountId) {
      if (!hasRecentList) return pages(accountId);
      const answer = await ask(`/portfolio2/${accountId}/positions`);
      if (answer.outcome === 'ok') {
        const rows = reading(() => parsePositions(answer.value));
        return rows.outcome === 'ok' ? rows : pages(accountId);
      }
      // The list without a cache is not in the published schema; the paged one is.
      if (answer.code !== 'refused' && answer.code !== 'unreadable') return answer;
      if (answer.code === 'refused') hasRecentList = false;
      return pages(accountId);
    },
  };
}

const PAGE_ROWS = 100;
const PAGES_MAX = 100;
