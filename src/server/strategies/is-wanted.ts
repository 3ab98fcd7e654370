import type { StrategyFilters } from '#contract/strategies/strategies.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';

/** The filters of the marketplace; an absent one or 'all' matches everything. */
export function isWanted(strategy: StrategyRecord, filters: StrategyFilters): boolean {
  const { search, market, is_featured: featured } = filters;
  const risk = filters.risk ?? filters.risk_level;
  const type = filters.type ?? filters.strategy_type;
  return (
    (isOpen(market) || [strategy.kind, strategy.market].includes(market === 'stocks' ? 'equity' : market)) &&
    (isOpen(risk) || strategy.riskLevel === risk) &&
    (isOpen(type) || strategy.strategyType === type || strategy.kind === type) &&
    (featured === undefined || strategy.isFeatured === featured) &&
    (search === undefined || matches(strategy, search))
  );
}

function isOpen<Value extends string>(filter: Value | 'all' | undefined): filter is 'all' | undefined {
  return filter === undefined || filter === 'all';
}

/** Spec section 5: a substring of name or description, whatever its case. */
function matches({ name, shortDescription, description }: StrategyRecord, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [name, shortDescription, description].some((text) => text.toLowerCase().includes(wanted));
}
