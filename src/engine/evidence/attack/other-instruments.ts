// The same rules on instruments of the same kind that they do not name: the yearly Sharpe ratio there, the median of up to three
// baskets. An edge that is there only on its own symbols was probably chosen by them.
import type { Symbol } from '#units/identifiers.ts';
import type { Instrument, InstrumentKind } from '../../market/instrument.ts';
import { symbolsRead } from '../../strategy/feature-column.ts';
import type { Rule, StrategyDefinition, Weighting } from '../../strategy/definition.ts';
import { type AttackFinding, judged, notRun, type NotRunReason } from './attack-result.ts';

const BASKETS_MAX = 3;
/** Of larger universes a part says as much. */
const BASKET_MAX = 20;

/** Definitions over other baskets, drawn by `random` in [0, 1); or why there are none. */
export function transplants(
  definition: StrategyDefinition,
  instruments: readonly Instrument[],
  random: () => number,
): readonly StrategyDefinition[] | NotRunReason {
  if (definition.options !== undefined) return 'options_have_dates';
  if (definition.model !== undefined || definition.rule.type === 'decider') return 'trained_on_its_own';
  const kind = kindOf(definition, instruments);
  if (kind === null) return 'mixed_kinds';
  const read = new Set<Symbol>([...symbolsRead(definition), definition.benchmark]);
  const calendars = new Set(
    instruments.filter(({ symbol }) => definition.universe.includes(symbol)).map(({ calendar }) => calendar),
  );
  const others = instruments.filter(
    (one) => one.kind === kind && one.expiry === null && calendars.has(one.calendar) && !read.has(one.symbol),
  );
  const drawn = shuffled(
    others.map(({ symbol }) => symbol),
    random,
  );
  const size = sizeOf(definition, drawn.length);
  if (size === 0) return 'no_others';
  const baskets = Math.min(BASKETS_MAX, Math.floor(drawn.length / size));
  return Array.from({ length: baskets }, (_, basket) =>
    transplanted(definition, drawn.slice(basket * size, (basket + 1) * size)),
  );
}

/** Yearly Sharpe ratios of the baskets that could be run. */
export function attackByOthers(sharpes: readonly number[]): AttackFinding {
  const sorted = sharpes.filter(Number.isFinite).toSorted((one, other) => one - other);
  if (sorted.length === 0) return notRun('no_others');
  return judged(sorted[Math.floor((sorted.length - 1) / 2)]!, 0);
}

function kindOf({ universe }: StrategyDefinition, instruments: readonly Instrument[]): InstrumentKind | null {
  const kinds = new Set(
    instruments.filter(({ symbol }) => universe.includes(symbol)).map(({ kind }) => kind),
  );
  const [kind] = kinds;
  return kinds.size === 1 ? kind! : null;
}

/** How many of `others` a basket takes; 0 where they are too few for the rule. */
function sizeOf({ universe, rule, weighting }: StrategyDefinition, others: number): number {
  const isWhole = rule.type === 'pairs' || weighting.type === 'fixed';
  if (isWhole) return others >= universe.length ? universe.length : 0;
  const least = rule.type === 'ranking' ? rule.top + rule.bottom + 1 : 1;
  const size = Math.min(Math.max(least, Math.min(universe.length, BASKET_MAX)), others);
  return size < least ? 0 : size;
}

/** Place by place: the first symbol of the universe becomes the first of the basket. */
function transplanted(definition: StrategyDefinition, basket: readonly Symbol[]): StrategyDefinition {
  const placeOf = new Map(definition.universe.map((symbol, place) => [symbol, place]));
  const other = (symbol: Symbol): Symbol => {
    const place = placeOf.get(symbol);
    return place === undefined ? symbol : basket[place % basket.length]!;
  };
  const features = Object.entries(definition.features).map(([name, feature]) => [
    name,
    {
      ...feature,
      ...(feature.symbol !== undefined && { symbol: other(feature.symbol) }),
      ...(feature.indicator === 'correlation' && { with: other(feature.with) }),
    },
  ]);
  return {
    ...definition,
    universe: basket,
    features: Object.fromEntries(features) as StrategyDefinition['features'],
    rule: otherRule(definition.rule, other),
    weighting: otherWeighting(definition.weighting, other),
    ...(definition.regime && { regime: { ...definition.regime, symbol: other(definition.regime.symbol) } }),
    ...(definition.basket && {
      basket: { ...definition.basket, most: Math.min(definition.basket.most, basket.length) },
    }),
  };
}

function otherRule(rule: Rule, other: (symbol: Symbol) => Symbol): Rule {
  if (rule.type !== 'pairs') return rule;
  const pairs = rule.pairs.map(({ first, second }) => ({ first: other(first), second: other(second) }));
  return { ...rule, pairs };
}

function otherWeighting(weighting: Weighting, other: (symbol: Symbol) => Symbol): Weighting {
  if (weighting.type !== 'fixed') return weighting;
  const weights = Object.entries(weighting.weights).map(([symbol, weight]) => [
    other(symbol as Symbol),
    weight,
  ]);
  return { ...weighting, weights: Object.fromEntries(weights) as Readonly<Record<string, number>> };
}

/** Fisher and Yates. */
function shuffled(symbols: readonly Symbol[], random: () => number): readonly Symbol[] {
  const drawn = [...symbols];
  for (let last = drawn.length - 1; last > 0; last--) {
    const place = Math.floor(random() * (last + 1));
    [drawn[last], drawn[place]] = [drawn[place]!, drawn[last]!];
  }
  return drawn;
}
