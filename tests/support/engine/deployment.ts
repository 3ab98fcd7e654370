// Deployment states and trading terms for tests.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import type { EngineEvent, TargetWeight } from '#engine/event.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { openPortfolio } from '#engine/portfolio/apply-fill.ts';
import type { DeploymentState, StepResult, TradingTerms } from '#engine/step.ts';
import { step } from '#engine/step.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import { cryptoInstrument, equityInstrument, forexInstrument, instrumentMap } from './random-market.ts';

export const TERMS: TradingTerms = {
  instruments: instrumentMap(
    ...['AAA', 'BBB', 'CCC', 'DDD'].map(equityInstrument),
    cryptoInstrument('BTCUSD'),
    forexInstrument('EURUSD'),
    forexInstrument('USDJPY'),
  ),
  costs: flatCosts({ commissionRate: 0.001, slippageRate: 0 }),
  collar: 0.03,
  noTradeBand: 0.01,
};

export function deployment(change: Partial<DeploymentState> = {}): DeploymentState {
  return {
    deploymentId: '0190a1b2-0000-7000-8000-000000000001' as DeploymentId,
    permission: 'full',
    allowsShort: false,
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    portfolio: openPortfolio(toMicro(10_000)),
    marks: new Map(),
    peakEquity: toMicro(10_000),
    frozenAt: null,
    stoppedOut: new Map(),
    working: [],
    target: null,
    attempts: new Map(),
    ...change,
  };
}

export function marksOf(prices: { readonly [symbol: string]: number }): ReadonlyMap<Symbol, number> {
  return new Map(Object.entries(prices).map(([symbol, price]) => [symbol as Symbol, price]));
}

export function target(
  weights: { readonly [symbol: string]: number },
  prices: { readonly [symbol: string]: number },
  { id = 'target-1', at = instant(1_000) }: { readonly id?: string; readonly at?: Instant } = {},
): EngineEvent {
  const list = Object.entries(weights).map(
    ([symbol, weight]): TargetWeight => ({ symbol: symbol as Symbol, weight }),
  );
  return { type: 'target', at, id, weights: list, marks: marksOf(prices) };
}

/** The event that an order fills whole, at a price, with the commission of TERMS. */
export function filled(order: ApprovedOrder, price: number): EngineEvent {
  const { clientOrderId, symbol, side, quantity } = order;
  const commission = toMicro((quantity / 1e8) * price * 0.001);
  const at = instant(2_000);
  return { type: 'fill', at, fill: { clientOrderId, symbol, side, quantity, price, commission, at } };
}

/** Steps through events one after the other; the last result. */
export function stepThrough(state: DeploymentState, ...events: readonly EngineEvent[]): StepResult {
  let result: StepResult = { state, orders: [], refusals: [], notices: [] };
  for (const event of events) result = step(result.state, event, TERMS);
  return result;
}
