// Cash and positions of the practice accounts, what they are worth, and what margin they bind.
import type { DatabaseSync } from 'node:sqlite';
import { commissionOf, TRADING_COSTS } from '#engine/market/costs.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import type { Instant } from '#units/instant.ts';
import { type Micro, add, micro, notional, scale, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { ContractList } from '../market-data/contract-list.ts';

export type HeldPosition = {
  readonly symbol: string;
  readonly quantity: Quantity;
  /** Signed like the quantity, in the quote currency. */
  readonly cost: Micro;
  /** In US dollars. */
  readonly realized: Micro;
};

type Valuation = {
  readonly cash: Micro;
  /** Cash, plus the value of positions paid in full, plus the unrealised profit of the others. */
  readonly netLiquidation: Micro;
  readonly stockValue: Micro;
  readonly cryptoValue: Micro;
  readonly unrealized: Micro;
  readonly realized: Micro;
  /** Initial margin that the positions bind. */
  readonly margin: Micro;
};

export type AccountBook = {
  positions(accountId: string): readonly HeldPosition[];
  position(accountId: string, symbol: string): HeldPosition;
  value(accountId: string, at: Instant): Valuation;
  price(symbol: string, at: Instant): number | null;
  /** US dollars for an amount in the instrument's quote currency. */
  inDollars(instrument: Instrument, amount: Micro, at: Instant): Micro;
  /** By the table of costs that backtests assume. */
  commission(instrument: Instrument, fill: Pick<Trade, 'quantity' | 'price'>, at: Instant): Micro;
  /** Books what happened without an order: units that came or went, at a price or for nothing, and money. */
  happen(accountId: string, instrument: Instrument, event: HoldingChange): void;
  /** Money that comes, or goes when negative, for no trade. */
  pay(accountId: string, amount: Micro): void;
  /** Books an execution: position, cash and commission. Call inside a transaction. */
  apply(accountId: string, instrument: Instrument, trade: Trade): void;
};

type HoldingChange = {
  readonly traded: Quantity;
  /** Null: the units cost nothing, so the cost of the position does not change. */
  readonly price: number | null;
  /** In dollars. */
  readonly paid: Micro;
  readonly at: Instant;
};

type Trade = {
  /** Signed. */
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro;
  readonly at: Instant;
};

export function openAccountBook(
  database: DatabaseSync,
  contracts: ContractList,
  prices: PriceSource,
): AccountBook {
  const ofAccount = database.prepare('SELECT * FROM positions WHERE account_id = ? ORDER BY symbol');
  const ofSymbol = database.prepare('SELECT * FROM positions WHERE account_id = ? AND symbol = ?');
  const savePosition = database.prepare(
    `INSERT INTO positions (account_id, symbol, quantity, cost_micro, realized_micro) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, symbol) DO UPDATE
     SET quantity = excluded.quantity, cost_micro = excluded.cost_micro, realized_micro = excluded.realized_micro`,
  );
  const addCash = database.prepare('UPDATE accounts SET cash_micro = cash_micro + ? WHERE account_id = ?');
  const cashOf = database.prepare('SELECT cash_micro FROM accounts WHERE account_id = ?');

  const price = (symbol: string, at: Instant) =>
    prices.quote(contracts.bySymbol(symbol).instrument.symbol, at)?.last ?? null;

  const inDollars = (instrument: Instrument, amount: Micro, at: Instant): Micro => {
    if (instrument.currency === 'USD') return amount;
    for (const { instrument: pair } of contracts.all) {
      if (pair.kind !== 'forex') continue;
      const rate = price(pair.symbol, at);
      if (rate === null) continue;
      if (pair.unitCurrency === 'USD' && pair.currency === instrument.currency)
        return scale(amount, 1 / rate);
      if (pair.unitCurrency === instrument.currency && pair.currency === 'USD') return scale(amount, rate);
    }
    throw new Error(`no rate from ${instrument.currency} to US dollars`);
  };

  const book: AccountBook = {
    price,
    inDollars,
    commission(instrument, fill, at) {
      const rate = inDollars(instrument, micro(RATE_PROBE), at) / RATE_PROBE;
      return commissionOf(fill, instrument, { costs: TRADING_COSTS, rate });
    },
    positions: (accountId) => ofAccount.all(accountId).map(readPosition),
    position: (accountId, symbol) =>
      readPosition(
        ofSymbol.get(accountId, symbol) ?? { symbol, quantity: 0, cost_micro: 0, realized_micro: 0 },
      ),
    value(accountId, at) {
      const cash = micro(Number(cashOf.get(accountId)?.cash_micro));
      const total = { paidFor: 0, stock: 0, crypto: 0, unrealized: 0, realized: 0, margin: 0 };
      for (const held of book.positions(accountId)) {
        total.realized += held.realized;
        if (held.quantity === 0) continue;
        const { instrument } = contracts.bySymbol(held.symbol);
        const last = price(held.symbol, at);
        const worth = last === null ? held.cost : notional(held.quantity, last, instrument.multiplier);
        const value = inDollars(instrument, worth, at);
        total.unrealized += inDollars(instrument, subtract(worth, held.cost), at);
        total.margin += boundBy(instrument, held, micro(Math.abs(value)));
        if (instrument.settlement === 'margin') {
          total.paidFor += inDollars(instrument, subtract(worth, held.cost), at);
          continue;
        }
        total.paidFor += value;
        if (instrument.kind === 'crypto') total.crypto += value;
        else total.stock += value;
      }
      return {
        cash,
        netLiquidation: micro(cash + total.paidFor),
        stockValue: micro(total.stock),
        cryptoValue: micro(total.crypto),
        unrealized: micro(total.unrealized),
        realized: micro(total.realized),
        margin: micro(total.margin),
      };
    },
    happen(accountId, instrument, { traded, price: settledAt, paid, at }) {
      if (settledAt !== null) {
        const trade = { quantity: traded, price: settledAt, commission: ZERO_MICRO, at };
        book.apply(accountId, instrument, trade);
        return;
      }
      const { symbol } = instrument;
      const held = book.position(accountId, symbol);
      savePosition.run(accountId, symbol, held.quantity + traded, held.cost, add(held.realized, paid));
      addCash.run(paid, accountId);
    },
    pay: (accountId, amount) => void addCash.run(amount, accountId),
    apply(accountId, instrument, trade) {
      const before = book.position(accountId, instrument.symbol);
      const { after, profit } = applyTrade(before, instrument, trade);
      const realized = inDollars(instrument, profit, trade.at);
      savePosition.run(
        accountId,
        instrument.symbol,
        after.quantity,
        after.cost,
        add(before.realized, realized, micro(-trade.commission)),
      );
      const paid =
        instrument.settlement === 'cash'
          ? inDollars(
              instrument,
              micro(-notional(trade.quantity, trade.price, instrument.multiplier)),
              trade.at,
            )
          : realized;
      addCash.run(subtract(paid, trade.commission), accountId);
    },
  };
  return book;
}

/** Enough micro-units that the rate read off their worth is exact to nine digits. */
const RATE_PROBE = 1e12;

/** Average cost: the closed part takes its share of the cost with it; the remainder opens or adds. */
function applyTrade(before: HeldPosition, instrument: Instrument, trade: Trade) {
  const isReducing = before.quantity !== 0 && before.quantity > 0 !== trade.quantity > 0;
  const closed = isReducing
    ? quantity(Math.sign(before.quantity) * Math.min(Math.abs(before.quantity), Math.abs(trade.quantity)))
    : quantity(0);
  const released = closed === 0 ? ZERO_MICRO : scale(before.cost, closed / before.quantity);
  const profit = subtract(notional(closed, trade.price, instrument.multiplier), released);
  const opened = quantity(trade.quantity + closed);
  return {
    profit,
    after: {
      quantity: quantity(before.quantity + trade.quantity),
      cost: add(before.cost, micro(-released), notional(opened, trade.price, instrument.multiplier)),
    },
  };
}

/** Initial margin that a position binds. A written put binds its strike; written calls are covered by shares. */
function boundBy(instrument: Instrument, held: HeldPosition, value: Micro): Micro {
  const option = parseOption(instrument.symbol);
  if (option === null || held.quantity > 0) return scale(value, KIND_RULES[instrument.kind].initialMargin);
  if (option.right === 'call') return ZERO_MICRO;
  return notional(quantity(-held.quantity), option.strike, instrument.multiplier);
}

function readPosition(row: Record<string, unknown>): HeldPosition {
  return {
    symbol: String(row.symbol),
    quantity: quantity(Number(row.quantity)),
    cost: micro(Number(row.cost_micro)),
    realized: micro(Number(row.realized_micro)),
  };
}
