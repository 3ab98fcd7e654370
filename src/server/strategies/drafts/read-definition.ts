import type { Kysely } from 'kysely';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { IntradayFeed } from '#ports/market-data.ts';
import { findKinds, findOptioned } from '#records/strategy-builder/strategy-drafts.ts';
import { DECIDER_NOT_IN_DRAFTS } from '#rules/strategies/decider-words.ts';
import type { Tables } from '#records/tables.ts';
import type { Symbol } from '#units/identifiers.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

type ReadDefinition = {
  readonly definition: StrategyDefinition;
  readonly hash: string;
  readonly kind: InstrumentKind;
};

type Place = { readonly path: string; readonly message: string };

/** A tradable definition: it parses, its instruments are known, and they are all of one kind. */
export async function readDefinition(
  database: Kysely<Tables>,
  text: string,
  intraday: IntradayFeed | undefined,
): Promise<ReadDefinition | Refused> {
  const value = parseJson(text);
  if (value === undefined) return invalid('The definition is not valid JSON.', []);
  const parsed = parseDefinition(value);
  if (!parsed.ok) return invalid('The definition is invalid.', parsed.errors);
  const { definition } = parsed;
  if (definition.rule.type === 'decider')
    return invalid(DECIDER_NOT_IN_DRAFTS, [{ path: 'rule.type', message: 'cannot be decider in a draft' }]);
  const known = await findKinds(database, symbolsRead(definition));
  const unknown = symbolsRead(definition).filter((symbol) => !known.has(symbol));
  if (unknown.length > 0) {
    return invalid(`We have no prices for ${unknown.join(', ')}.`, [
      { path: placeOf(definition, unknown[0]!), message: `has no prices for ${unknown.join(', ')}` },
    ]);
  }
  const [kind, ...others] = new Set(definition.universe.map((symbol) => known.get(symbol)));
  if (kind === undefined || others.length > 0) {
    return invalid('All instruments must be of one kind.', [
      { path: 'universe', message: `mixes ${[kind, ...others].join(', ')}` },
    ]);
  }
  const { interval } = definition;
  if (interval !== undefined && intraday?.intervals(kind).includes(interval) !== true) {
    const offered = ['days', ...(intraday?.intervals(kind) ?? [])].join(', ');
    return invalid(
      `The prices here have no bars of ${interval} in time to trade on. One that reads them can be backtested with npm run backtest, and not traded.`,
      [{ path: 'interval', message: `is ${interval}, and strategies here read ${offered}` }],
    );
  }
  const { options } = definition;
  if (options !== undefined) {
    const optioned = await findOptioned(database, options);
    const bare = options.underlyings.filter((symbol) => !optioned.has(symbol));
    if (bare.length > 0) {
      const inCash = options.settlement === 'cash' ? ' that settle in cash' : '';
      return invalid(`This market lists no options${inCash} on ${bare.join(', ')}.`, [
        { path: 'options', message: `are on ${bare.join(', ')}, and this market lists none${inCash} on it` },
      ]);
    }
  }
  // Shares combined with options make an options strategy.
  const traded = options === undefined ? kind : 'options';
  return { definition, hash: definitionHash(definition), kind: traded };
}

/** Where a symbol is named. */
function placeOf({ universe, regime }: StrategyDefinition, symbol: Symbol): string {
  if (universe.includes(symbol)) return 'universe';
  return regime?.symbol === symbol ? 'regime.symbol' : 'features';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function invalid(message: string, errors: readonly Place[]): Refused {
  return refuse('definition_invalid', message, { field: 'definition', details: { errors } });
}
