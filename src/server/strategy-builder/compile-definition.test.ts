import { describe, expect, it } from 'vitest';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import {
  ASSET_CLASSES,
  BUILDER_RISKS,
  type BuilderInput,
  USUAL_INPUT,
} from '#rules/strategy-builder/builder-input.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Tradable } from './choose-universe.ts';
import { compileDefinition } from './compile-definition.ts';

const one = (symbol: string, kind: InstrumentKind, name: string, expiry: string | null = null): Tradable => ({
  symbol: symbol as Symbol,
  kind,
  name,
  expiry: expiry as IsoDate | null,
});
const SHARES = Array.from({ length: 12 }, (_, i) => one(`SHR${i}`, 'equity', `Number ${i} Works`));
const INSTRUMENTS: readonly Tradable[] = [
  one('BWMKT', 'equity', 'Market index fund'),
  one('BWBND', 'equity', 'Bond index fund'),
  ...SHARES,
  ...['EURUSD', 'GBPUSD', 'USDJPY'].map((symbol) => one(symbol, 'forex', symbol)),
  ...['BTCUSD', 'ETHUSD', 'SOLUSD', 'ADAUSD'].map((symbol) => one(symbol, 'crypto', symbol)),
  one('BWSX', 'futures', 'Continuous'),
  one('BWSX-2026M03', 'futures', 'March', '2026-03-20'),
];

const compile = (change: Partial<BuilderInput> = {}) => {
  const compiled = compileDefinition({ ...USUAL_INPUT, ...change }, INSTRUMENTS);
  if (!compiled.ok) throw new Error(compiled.message);
  const parsed = parseDefinition(compiled.definition);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return { ...compiled, definition: parsed.definition };
};

describe('every combination of the controls', () => {
  const every = ASSET_CLASSES.flatMap((assetClass) =>
    BUILDER_RISKS.map((riskLevel) => ({ assetClass, riskLevel })),
  );
  it.each(every)('$assetClass at $riskLevel risk gives a runnable definition', (chosen) => {
    for (const maxDrawdown of [5, 15, 30]) {
      const { definition } = compile({ ...chosen, maxDrawdown });
      const known = INSTRUMENTS.map(({ symbol }) => symbol);
      expect(definition.universe.filter((symbol) => !known.includes(symbol))).toEqual([]);
      expect(known).toContain(definition.benchmark);
      expect(definition.gross).toBeLessThanOrEqual(1);
    }
  });
});

describe('a built strategy', () => {
  it('is sized by the drawdown limit, not by the target return', () => {
    const volatility = (change: Partial<BuilderInput>) => {
      const { weighting } = compile(change).definition;
      return weighting.type === 'volatility_target' ? weighting.annualPercent : null;
    };
    expect(volatility({ maxDrawdown: 5 })).toBeLessThan(volatility({ maxDrawdown: 15 })!);
    expect(volatility({ targetReturn: 50 })).toBe(volatility({ targetReturn: 10 }));
  });

  it('reads futures as the continuous series of their root', () => {
    expect(compile({ assetClass: 'futures' }).definition.universe).toEqual(['BWSX']);
  });

  it('follows funds at low risk, otherwise shares', () => {
    expect(compile({ riskLevel: 'low' }).definition.universe).toEqual(['BWMKT', 'BWBND']);
    expect(compile().definition.universe).toEqual(SHARES.map(({ symbol }) => symbol));
  });

  it('sells short in currencies only, and not at low risk', () => {
    expect(compile().definition.direction).toBe('long');
    expect(compile({ assetClass: 'forex' }).definition.direction).toBe('long_short');
    expect(compile({ assetClass: 'forex', riskLevel: 'low' }).definition.direction).toBe('long');
  });

  it('stops a position at the drawdown limit', () => {
    const { exits } = compile({ assetClass: 'forex', maxDrawdown: 12 }).definition;
    expect(exits.stopPercent).toBe(12);
  });

  it('with options writes them on the market fund', () => {
    const { definition } = compile({ assetClass: 'options' });
    expect(definition.options).toMatchObject({ structure: 'covered_call', underlyings: ['BWMKT'] });
  });

  it('is refused when no instrument of the asset class has prices', () => {
    const none = compileDefinition({ ...USUAL_INPUT, assetClass: 'futures' }, SHARES);
    expect(none).toMatchObject({ ok: false });
  });
});
