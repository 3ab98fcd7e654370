// The read-only half: accounts, positions and cash need no trading session, so they work even when trading is not possible.
import type { BrokerAccount, BrokerAnswer } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { reading, Unreadable } from '../../answer-fields.ts';
import { bodyOf, failed } from '../../exchange.ts';
import type { ListRows } from '../../list-rows.ts';
import { failureOf } from '../failure-of.ts';
import type { Connection } from '../connection.ts';
import type { VendorInstrument } from '../orders/vendor-row.ts';
import { parseAccounts, parsePositions, type PositionRow } from './parse-portfolio.ts';

type Portfolio = {
  accounts(): Promise<BrokerAnswer<readonly BrokerAccount[]>>;
  positions(accountId: BrokerAccountId): Promise<BrokerAnswer<PositionList>>;
  /** The currency of a listed account; null before the list was requested. */
  currencyOf(accountId: BrokerAccountId): string | null;
  /** Asks one of the /portfolio paths, which the vendor answers only after the account list was requested. */
  ask(path: string): Promise<BrokerAnswer<unknown>>;
};

export function createPortfolio(connection: Connection): Portfolio {
  const get = async (path: string): Promise<BrokerAnswer<unknown>> => {
    const result = await connection.query({ method: 'GET', path, priority: 'reconcile' });
    return failureOf(result) ?? { outcome: 'ok', value: bodyOf(result) };
  };
  const list = createAccountList(get);

  const ask = async (path: string): Promise<BrokerAnswer<unknown>> => {
    if (!list.isLoaded()) {
      const first = await list.load();
      if (first.outcome === 'failed') return first;
    }
    const answer = await get(path);
    // It refuses everything until it has been asked for the accounts again, after a restart of its own.
    if (answer.outcome === 'ok' || answer.code !== 'refused') return answer;
    const again = await list.load();
    return again.outcome === 'failed' ? again : get(path);
  };

  let hasRecentList = true;
  const positions = async (accountId: BrokerAccountId): Promise<BrokerAnswer<PositionList>> => {
    if (!hasRecentList) return positionPages(connection, ask, accountId);
    const answer = await ask(`/portfolio2/${accountId}/positions`);
    if (answer.outcome === 'ok') {
      const list = reading(() => ofAccount(accountId, parsePositions(answer.value)));
      return list.outcome === 'ok' ? list : positionPages(connection, ask, accountId);
    }
    // The uncached list is not in the published schema; the paged one is.
    if (answer.code !== 'refused' && answer.code !== 'unreadable') return answer;
    if (answer.code === 'refused') hasRecentList = false;
    return positionPages(connection, ask, accountId);
  };

  return { accounts: list.load, ask, currencyOf: list.currencyOf, positions };
}

type PositionList = ListRows<PositionRow, VendorInstrument>;

/** A list of other accounts only is the answer to another question: read as this account's, it would be flat. */
function ofAccount(accountId: BrokerAccountId, { rows, spoilt }: PositionList): PositionList {
  const isOurs = ({ account }: { readonly account: BrokerAccountId | null }) =>
    account === null || account === accountId;
  const list = { rows: rows.filter(isOurs), spoilt: spoilt.filter(isOurs) };
  const isForeign = rows.length + spoilt.length > 0 && list.rows.length + list.spoilt.length === 0;
  if (isForeign) throw new Unreadable('the positions of another account');
  return list;
}

type Ask = Portfolio['ask'];

/** The vendor's list of accounts with their details. */
function createAccountList(get: Ask) {
  const currencies = new Map<BrokerAccountId, string>();
  let isLoaded = false;
  let loading: Promise<BrokerAnswer<readonly BrokerAccount[]>> | null = null;

  const take = (answer: BrokerAnswer<unknown>): BrokerAnswer<readonly BrokerAccount[]> => {
    if (answer.outcome === 'failed') return answer;
    isLoaded = true;
    const list = reading(() => parseAccounts(answer.value));
    if (list.outcome === 'ok')
      for (const { accountId, currency } of list.value) currencies.set(accountId, currency);
    return list;
  };

  return {
    isLoaded: () => isLoaded,
    currencyOf: (accountId: BrokerAccountId) => currencies.get(accountId) ?? null,
    /** May be requested only every few seconds: concurrent callers share one answer. */
    load(): Promise<BrokerAnswer<readonly BrokerAccount[]>> {
      loading ??= get('/portfolio/accounts')
        .then(take)
        .finally(() => {
          loading = null;
        });
      return loading;
    },
  };
}

/** The vendor caches these pages; the cache is cleared first. */
async function positionPages(
  connection: Connection,
  ask: Ask,
  accountId: BrokerAccountId,
): Promise<BrokerAnswer<PositionList>> {
  const path = `/portfolio/${accountId}/positions/invalidate`;
  const emptied = await connection.query({ method: 'POST', path, priority: 'reconcile' });
  const failure = failureOf(emptied);
  if (failure && failure.code !== 'refused') return failure;
  const all: { rows: PositionRow[]; spoilt: PositionList['spoilt'][number][] } = { rows: [], spoilt: [] };
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await ask(`/portfolio/${accountId}/positions/${page}`);
    if (answer.outcome === 'failed') return answer;
    const list = reading(() => ofAccount(accountId, parsePositions(answer.value)));
    if (list.outcome === 'failed') return list;
    all.rows.push(...list.value.rows);
    all.spoilt.push(...list.value.spoilt.map((row) => ({ ...row, place: page * PAGE_ROWS + row.place })));
    if (Array.isArray(answer.value) && answer.value.length < PAGE_ROWS) return { outcome: 'ok', value: all };
  }
  return failed('unreadable', 'the position list does not end');
}

const PAGE_ROWS = 100;
const PAGES_MAX = 100;
