// What a deployment's screen and its answers over HTTP must agree on, computed here by plain sums of whole micro-units.
import type { Deployment } from '../../src/contract/deployments.ts';
import type { Trade } from '../../src/contract/trade.ts';

const micro = (dollars: number) => Math.round(dollars * 1_000_000);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

export type Reckoned = {
  readonly fromPositions: number;
  readonly fromProfits: number;
  readonly cashFromTrades: number;
  readonly quantities: ReadonlyMap<string, number>;
};

/** Equity in two ways, cash and quantities from the trades alone; for instruments that settle in cash. */
export function reckon(deployment: Deployment, trades: readonly Trade[]): Reckoned {
  const { cash_balance, investment_amount, total_pnl, positions } = deployment;
  const quantities = new Map<string, number>();
  for (const { ticker, trade_type, quantity } of trades) {
    const after = (quantities.get(ticker) ?? 0) + (trade_type === 'buy' ? quantity : -quantity);
    if (after === 0) quantities.delete(ticker);
    else quantities.set(ticker, after);
  }
  const paid = trades.map(
    ({ trade_type, total_amount, commission }) =>
      (trade_type === 'buy' ? micro(total_amount) : -micro(total_amount)) + micro(commission),
  );
  return {
    fromPositions: (micro(cash_balance) + sum(positions.map((one) => micro(one.current_value)))) / 1e6,
    fromProfits:
      (micro(investment_amount) + micro(total_pnl) + sum(positions.map((one) => micro(one.unrealized_pnl)))) /
      1e6,
    cashFromTrades: (micro(investment_amount) - sum(paid)) / 1e6,
    quantities,
  };
}

/** As a person reads it: $1,234.50, a loss with the minus sign of the screens. */
export function showDollars(amount: number): string {
  const cents = Math.round(Math.abs(amount) * 100 + 1e-6);
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = amount < 0 && cents > 0 ? '\u2212' : '';
  return `${sign}$${whole}.${String(cents % 100).padStart(2, '0')}`;
}

export function showGain(amount: number): string {
  const text = showDollars(amount);
  if (text.startsWith('\u2212')) return `loss of ${text}`;
  return text === '$0.00' ? text : `gain of +${text}`;
}
