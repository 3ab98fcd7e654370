import type { CashActivity } from '../../src/engine/cash/cash-activity.ts';
import type { IsoDate } from '../../src/units/instant.ts';
import type { Instrument } from '../../src/engine/market/instrument.ts';
import { changePosition } from '../../src/engine/portfolio/apply-fill.ts';
import type { Symbol } from '../../src/units/identifiers.ts';
import { type Micro, micro, notional, scale } from '../../src/units/money.ts';
import { type Quantity, quantity } from '../../src/units/quantity.ts';
import type { ScriptedVenue } from './scripted-venue.ts';

/** What each trade moved: a purchase its price, a margin trade the profit that it closed; and its commission. */
export function cashOfTrades(
  executions: ScriptedVenue['executions'],
  accountId: string,
  instrumentOf: (symbol: Symbol) => Instrument,
): Micro[] {
  const held = new Map<Symbol, { quantity: Quantity; cost: Micro }>();
  return executions.flatMap(({ accountId: account, execution }) => {
    if (account !== accountId || execution.symbol === null) return [];
    const { symbol, side, price, commission } = execution;
    const { settlement, multiplier, currency } = instrumentOf(symbol);
    const traded = quantity(side === 'buy' ? execution.quantity : -execution.quantity);
    const change = changePosition(held.get(symbol), traded, price, multiplier);
    held.set(symbol, change);
    const moved = settlement === 'cash' ? micro(-notional(traded, price, multiplier)) : change.profit;
    return [
      currency === 'USD' ? moved : scale(moved, 1 / price),
      micro(execution.quantity === 0 ? 0 : -(commission ?? 0)),
    ];
  });
}

/** Money that moves for no trade, some of it itemised. */
export function createPayments() {
  const payments: { readonly accountId: string; readonly amount: Micro }[] = [];
  const activities: { readonly accountId: string; readonly activity: CashActivity }[] = [];
  return {
    pay: (accountId: string, amount: Micro) => void payments.push({ accountId, amount }),
    state(accountId: string, activity: Omit<CashActivity, 'activityId'>) {
      payments.push({ accountId, amount: activity.amount });
      activities.push({ accountId, activity: { ...activity, activityId: `A${activities.length + 1}` } });
    },
    paid: (accountId: string) =>
      payments.filter((one) => one.accountId === accountId).map(({ amount }) => amount),
    /** Every activity twice: lists repeat. */
    listed: (accountId: string, since: IsoDate) =>
      activities
        .filter((one) => one.accountId === accountId && one.activity.date >= since)
        .flatMap(({ activity }) => [activity, activity]),
  };
}

export function positionOf(
  executions: ScriptedVenue['executions'],
  accountId: string,
  symbol: string,
): number {
  let sum = 0;
  for (const { accountId: account, execution } of executions) {
    if (account !== accountId || execution.symbol !== symbol) continue;
    sum += execution.side === 'buy' ? execution.quantity : -execution.quantity;
  }
  return sum;
}
