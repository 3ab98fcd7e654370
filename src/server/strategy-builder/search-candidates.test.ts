import { expect, test } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import { ASSET_CLASSES, BUILDER_RISKS, USUAL_INPUT } from '#rules/strategy-builder/builder-input.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Tradable } from './choose-universe.ts';
import { compileDefinition } from './compile-definition.ts';
import { searchCandidates } from './search-candidates.ts';

const one = (symbol: string, kind: InstrumentKind, name = symbol): Tradable => ({
  symbol: symbol as Symbol,
  kind,
  name,
  expiry: null,
});
const INSTRUMENTS = [
  one('BWMKT', 'equity', 'Market index fund'),
  one('BWBND', 'equity', 'Bond index fund'),
  ...Array.from({ length: 12 }, (_, i) => one(`SHR${i}`, 'equity')),
  ...['EURUSD', 'GBPUSD', 'USDJPY'].map((symbol) => one(symbol, 'forex')),
  ...['BTCUSD', 'ETHUSD', 'SOLUSD', 'ADAUSD'].map((symbol) => one(symbol, 'crypto')),
  one('BWSX', 'futures'),
];
const every = ASSET_CLASSES.flatMap((assetClass) =>
  BUILDER_RISKS.map((riskLevel) => ({ ...USUAL_INPUT, assetClass, riskLevel })),
);

test.each(every)(
  '$assetClass at $riskLevel risk: several sets of rules, each another one, that can be run',
  (input) => {
    const candidates = searchCandidates(input, INSTRUMENTS);
    expect(candidates.length).toBeGreaterThanOrEqual(6);
    expect(candidates.length).toBeLessThanOrEqual(16);
    const rules = candidates.map(({ definition }) => JSON.stringify({ ...definition, name: '', notes: '' }));
    expect(new Set(rules).size).toBe(candidates.length);
    expect(new Set(candidates.map(({ definition }) => definition.name)).size).toBe(candidates.length);
    for (const { definition } of candidates) {
      expect(parseDefinition(JSON.parse(JSON.stringify(definition)))).toMatchObject({ ok: true });
      // All of them on the same instruments: what differs is the rules.
      expect(definition.universe).toEqual(candidates[0]!.definition.universe);
    }
  },
);

test('the rules that the controls stand for come first', () => {
  const usual = compileDefinition(USUAL_INPUT, INSTRUMENTS);
  const [first] = searchCandidates(USUAL_INPUT, INSTRUMENTS);
  expect(usual.ok && parseDefinition(usual.definition)).toMatchObject({ definition: first!.definition });
});

test('without prices there is nothing to search', () => {
  expect(searchCandidates({ ...USUAL_INPUT, assetClass: 'forex' }, [])).toEqual([]);
});
