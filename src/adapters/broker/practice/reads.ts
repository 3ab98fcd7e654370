// What a practice session reads. Every question first lets the account look at the market, so that its books are as of
// now, whichever process asks.
import { isPriced } from '#engine/practice/buying-power.ts';
import { isCovered, look } from '#engine/practice/look.ts';
import { type PracticeAccount, unchanged } from '#engine/practice/practice-account.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import type {
  BrokerAnswer,
  BrokerCash,
  BrokerExecution,
  BrokerList,
  BrokerOrder,
  BrokerPosition,
} from '#ports/broker.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import { fieldsOf, reading } from '../answer-fields.ts';
import { failed } from '../exchange.ts';
import { type Known, parseExecutions, parseOrder, parseOrders } from './parse-rows.ts';
import type { StoreLine } from './store-line.ts';
import type { Venue } from './venue.ts';

export type Reads = {
  look(): Promise<BrokerAnswer<null>>;
  positions(): Promise<BrokerList<BrokerPosition>>;
  cash(): Promise<BrokerAnswer<BrokerCash>>;
  orders(which: 'all' | 'open'): Promise<BrokerList<BrokerOrder>>;
  order(orderId: string): Promise<BrokerAnswer<BrokerOrder | null>>;
  executions(since: Instant): Promise<BrokerList<BrokerExecution>>;
};

export function createReads(mine: BrokerAccountId, venue: Venue, { ask }: StoreLine): Reads {
  const { store, market } = venue;
  const known: Known = (symbol) => venue.findInstrument(symbol as Symbol)?.symbol ?? null;
  const lookNow = () => ask(() => lookAtMarket(mine, venue));
  const looked = async <Value>(question: () => Promise<Value>): Promise<BrokerAnswer<Value>> => {
    const now = await lookNow();
    return now.outcome === 'failed' ? now : ask(question);
  };
  return {
    look: lookNow,
    async positions() {
      const account = await looked(() => store.read(mine));
      return account.outcome === 'failed' ? account : positionsOf(account.value);
    },
    async cash() {
      const account = await looked(() => store.read(mine));
      return account.outcome === 'failed' ? account : valueOf(account.value, venue);
    },
    async orders(which) {
      const clock = await market.clock();
      const since = (clock.ok ? clock.value.now - LATELY_MS : 0) as Instant;
      const rows = await looked(() => store.listOrders(mine, since));
      if (rows.outcome === 'failed') return rows;
      const read = parseOrders(rows.value, known);
      if (read.outcome === 'failed' || which === 'all') return read;
      return { ...read, value: read.value.filter(({ status }) => status === 'working') };
    },
    async order(orderId) {
      const row = await looked(() => store.findOrder(mine, orderId));
      if (row.outcome === 'failed') return row;
      if (row.value === null) return { outcome: 'ok', value: null };
      return reading(() => parseOrder(fieldsOf(row.value, 'an order'), known));
    },
    async executions(since) {
      const rows = await looked(() => store.listExecutions(mine, since));
      return rows.outcome === 'failed' ? rows : parseExecutions(rows.value, known);
    },
  };
}

/**
 * Where the feed fails, the books stay as of the last look: they are true, and orders wait. Nothing is asked of the feed
 * for an account without positions and orders.
 */
async function lookAtMarket(accountId: BrokerAccountId, { store, market }: Venue): Promise<null> {
  const account = await store.read(accountId);
  if (account.working.length === 0 && account.portfolio.positions.size === 0) return null;
  const clock = await market.clock();
  if (!clock.ok || clock.value.now <= account.lookedAt) return null;
  const seen = await market.read(account, clock.value);
  if (!seen.ok) return null;
  return store.change(accountId, null, (before) => ({
    change: isCovered(before, seen.value) ? look(before, seen.value) : unchanged(before),
    result: null,
  }));
}

function positionsOf({ portfolio }: PracticeAccount): BrokerList<BrokerPosition> {
  const value = [...portfolio.positions.values()].map(
    ({ symbol, quantity, cost }): BrokerPosition => ({
      symbol,
      brokerInstrumentId: symbol,
      description: symbol,
      quantity,
      averagePrice: fromMicro(cost) / fromQuantity(quantity),
      marketPrice: null,
      currency: null,
    }),
  );
  return { outcome: 'ok', value, unread: [] };
}

async function valueOf(account: PracticeAccount, { market }: Venue): Promise<BrokerAnswer<BrokerCash>> {
  const { cash, positions } = account.portfolio;
  if (positions.size === 0) return { outcome: 'ok', value: { currency: 'USD', cash, netLiquidation: cash } };
  const clock = await market.clock();
  if (!clock.ok) return failed('unreachable', clock.message);
  const seen = await market.read({ ...account, lookedAt: clock.value.now }, clock.value);
  if (!seen.ok) return failed('unreachable', seen.message);
  const { marks, instruments } = seen.value;
  if (!isPriced({ ...account, working: [] }, [], seen.value))
    return failed('unreachable', 'something that the account holds has no price now');
  const { equity } = valuePortfolio(account.portfolio, marks, instruments);
  return { outcome: 'ok', value: { currency: 'USD', cash, netLiquidation: equity } };
}

/** Orders that ended this lately are still listed. */
const LATELY_MS = 3 * DAY_MS;
