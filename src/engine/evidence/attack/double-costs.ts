// The same rules at twice the commission and slippage. Dividends, swaps and financing stay as they are.
import type { BacktestInput } from '../../backtest/settings.ts';
import type { TradingCosts } from '../../market/costs.ts';
import { INSTRUMENT_KINDS } from '../../market/instrument.ts';
import type { KindCosts } from '../../market/kinds/kind-rules.ts';

export function atDoubleCosts(input: BacktestInput): BacktestInput {
  const doubled = Object.fromEntries(
    INSTRUMENT_KINDS.map((kind) => [kind, doubledKind(input.settings.costs[kind])]),
  ) as TradingCosts;
  return { ...input, settings: { ...input.settings, costs: doubled } };
}

function doubledKind({ commissionRate, commissionPerContract, slippageRate }: KindCosts): KindCosts {
  return {
    commissionRate: 2 * commissionRate,
    commissionPerContract: 2 * commissionPerContract,
    slippageRate: 2 * slippageRate,
  };
}
