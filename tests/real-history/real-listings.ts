// The rules of the catalogue's strategies on real instruments. The catalogue trades the simulated market's, so each rule
// gets the real ones of the same sort that there are prices of, and says which of its own have none.
import { EQUITY_LISTINGS } from '#processes/demo-world/catalogue/equity-listings.ts';
import { plainListings } from '#processes/seed/catalogue/plain-listings.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { Instrument } from '#engine/market/instrument.ts';

export type RealListing = {
  readonly name: string;
  readonly definition: StrategyDefinition;
  /** What the strategy of the catalogue trades and real prices are missing of. */
  readonly missing: string;
};

const BENCHMARK = 'SPY';
const FUNDS = ['SPY', 'QQQ', 'IWM', 'EEM', 'USO', 'BNO'];
const SHARES = ['AAPL', 'AIG', 'BAC', 'FB', 'GOOG', 'IBM', 'WM'];
/** Of one business each. */
const PAIRS = [
  { first: 'BAC', second: 'AIG' },
  { first: 'AAPL', second: 'IBM' },
  { first: 'GOOG', second: 'FB' },
];

export function realListings(instruments: readonly Instrument[]): readonly RealListing[] {
  const ours = EQUITY_LISTINGS.map(({ name, definition }): RealListing => {
    const { universe, missing } = realUniverse(definition);
    return { name, definition: parsed(onReal(definition, universe)), missing };
  });
  const plain = plainListings(instruments, 'live').map(
    ({ name, definition }): RealListing => ({ name, definition: parsed(definition), missing: 'none' }),
  );
  return [...ours, ...plain];
}

type Given = Readonly<Record<string, unknown>>;

function realUniverse({ universe, rule }: Given): {
  readonly universe: readonly string[];
  readonly missing: string;
} {
  const own = universe as readonly string[];
  if ((rule as { type: string }).type === 'pairs')
    return { universe: PAIRS.flatMap(({ first, second }) => [first, second]), missing: `all ${own.length}` };
  if (own.includes('BWBND')) return { universe: FUNDS, missing: 'bonds and gold' };
  return { universe: SHARES, missing: `${own.length - SHARES.length} of ${own.length} shares` };
}

/** As many of the real ones are held as make the same part of the universe. */
function onReal(definition: Given, universe: readonly string[]): Given {
  const rule = definition['rule'] as Given;
  const weighting = definition['weighting'] as Given;
  const scale = universe.length / (definition['universe'] as readonly string[]).length;
  const scaled = (count: unknown) => Math.max(1, Math.round(Number(count) * scale));
  return {
    ...definition,
    universe,
    benchmark: BENCHMARK,
    rule: {
      ...rule,
      ...(rule['pairs'] === undefined ? {} : { pairs: PAIRS }),
      ...(rule['top'] === undefined ? {} : { top: scaled(rule['top']) }),
      ...(rule['bottom'] === undefined ? {} : { bottom: scaled(rule['bottom']) }),
    },
    weighting: weighting['type'] === 'fixed' ? { type: 'equal', over: 'universe' } : weighting,
  };
}

function parsed(definition: Given): StrategyDefinition {
  const read = parseDefinition(definition);
  if (read.ok) return read.definition;
  throw new Error(`${String(definition['name'])}: ${JSON.stringify(read.errors)}`);
}
