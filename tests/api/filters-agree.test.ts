// The marketplace filters in the browser, and the server answers the same questions: both must say the same.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Strategy, StrategyFilters } from '#contract/strategies/strategies.ts';
import { STRATEGY_TYPES } from '#contract/strategies/strategies.ts';
import { INSTRUMENT_KINDS } from '../../src/engine/market/instrument.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { RISK_LEVELS } from '../../src/rules/suitability/strategy-risk.ts';
import { isWanted } from '../../src/server/strategies/is-wanted.ts';
import {
  filterStrategies,
  MARKET_FILTERS,
  RISK_FILTERS,
  type StrategyFilter,
  TYPE_FILTERS,
} from '../../src/web/strategies/list/filter-strategies.ts';
import { testApp } from '../support/test-app.ts';
import { publishedStrategy } from '../support/test-strategy.ts';

type Described = Pick<
  StrategyRecord,
  'id' | 'name' | 'description' | 'shortDescription' | 'kind' | 'riskLevel' | 'strategyType' | 'market'
>;

const words = fc.constantFrom(
  'Trend',
  'carry',
  'ÉTÉ',
  'été',
  'İstanbul',
  'ß',
  'gold & oil',
  '%',
  '_',
  '.*',
  ' ',
);
const sentence = fc
  .array(fc.oneof(words, fc.string({ maxLength: 6 })), { maxLength: 4 })
  .map((parts) => parts.join(' '));
const strategies: fc.Arbitrary<Described[]> = fc.array(
  fc.record({
    id: fc.uuid() as fc.Arbitrary<StrategyRecord['id']>,
    name: sentence,
    description: sentence,
    shortDescription: sentence,
    kind: fc.constantFrom(...INSTRUMENT_KINDS),
    riskLevel: fc.constantFrom(...RISK_LEVELS),
    strategyType: fc.constantFrom(...STRATEGY_TYPES),
    market: fc.constantFrom('us' as const, 'global' as const),
  }),
  { maxLength: 12 },
);
const oneOf = (choices: readonly { readonly value: string }[]) =>
  fc.constantFrom(...choices.map(({ value }) => value));
const filters: fc.Arbitrary<StrategyFilter> = fc.record({
  search: fc.oneof(words, sentence),
  market: oneOf(MARKET_FILTERS),
  risk: oneOf(RISK_FILTERS),
  type: oneOf(TYPE_FILTERS),
});

/** The browser's view of what the server has as a record. */
const shown = ({ kind, riskLevel, strategyType, ...described }: Described) => ({
  ...described,
  asset_class: kind,
  risk_level: riskLevel,
  strategy_type: strategyType as Strategy['strategy_type'],
});

test('for any strategies and any filter, browser and server choose the same', () => {
  fc.assert(
    fc.property(strategies, filters, (all, filter) => {
      const inBrowser = filterStrategies(all.map(shown), filter).map(({ id }) => id);
      const onServer = all
        .filter((one) => isWanted(one as StrategyRecord, filter as StrategyFilters))
        .map(({ id }) => id);
      expect(onServer).toEqual(inBrowser);
    }),
    { numRuns: 500 },
  );
});

const app = await testApp();

test('over a catalogue in the database, each choice of the screen gets from the server what the screen would show', async () => {
  for (const [i, kind] of INSTRUMENT_KINDS.entries()) {
    for (const [j, riskLevel] of RISK_LEVELS.entries()) {
      const id = await publishedStrategy(app, { name: `${kind} ${riskLevel} trend`, kind, riskScore: j + 1 });
      await app.records.pool.query(
        'update strategies set risk_level = $1, strategy_type = $2 where id = $3',
        [riskLevel, STRATEGY_TYPES[(i * RISK_LEVELS.length + j) % STRATEGY_TYPES.length], id],
      );
    }
  }
  const ask = async (url: string, body?: object) => {
    const method = body ? 'POST' : 'GET';
    const answer = await app.request({ method, url, ...(body && { body }) });
    expect(answer.status).toBe(200);
    return answer.body as Strategy[];
  };
  const catalogue = await ask('/api/strategies/');
  expect(catalogue).toHaveLength(INSTRUMENT_KINDS.length * RISK_LEVELS.length);
  const choices = [
    ...MARKET_FILTERS.map(({ value }) => ({ market: value })),
    ...RISK_FILTERS.map(({ value }) => ({ risk: value })),
    ...TYPE_FILTERS.map(({ value }) => ({ type: value })),
    { search: ' CRYPTO low ' },
    { search: 'nothing like it' },
    { market: 'stocks', risk: 'medium', search: 'trend' },
  ];
  for (const choice of choices) {
    const filter: StrategyFilter = { search: '', market: 'all', risk: 'all', type: 'all', ...choice };
    const expected = filterStrategies(catalogue, filter).map(({ id }) => id);
    const { search, ...selected } = filter;
    const asked = search === '' ? selected : filter;
    const query = new URLSearchParams(asked);
    expect((await ask(`/api/strategies/?${query}`)).map(({ id }) => id)).toEqual(expected);
    expect((await ask('/api/strategies/filter/', asked)).map(({ id }) => id)).toEqual(expected);
  }
});
