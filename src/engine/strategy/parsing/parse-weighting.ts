// How a strategy definition shares its exposure out, and its optional exits.
import type { Symbol } from '#units/identifiers.ts';
import type { Exits, Weighting } from '../definition.ts';
import { join, type Reader } from './reader.ts';

export function parseWeighting(
  reader: Reader,
  value: unknown,
  { universe, features }: { readonly universe: readonly Symbol[]; readonly features: readonly string[] },
): Weighting {
  const path = 'weighting';
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  const length = { min: 2, max: 2_000 };
  switch (reader.oneOf(type, join(path, 'type'), WEIGHTINGS)) {
    case 'equal': {
      const given = reader.fields(value, path, ['type', 'over']) ?? {};
      return { type: 'equal', over: reader.oneOf(given['over'] ?? 'universe', join(path, 'over'), OVER) };
    }
    case 'fixed':
      return parseFixed(reader, reader.fields(value, path, ['type', 'weights'])?.['weights'], universe);
    case 'inverse_volatility': {
      const given = reader.fields(value, path, ['type', 'length']) ?? {};
      return {
        type: 'inverse_volatility',
        length: reader.whole(given['length'], join(path, 'length'), length),
      };
    }
    case 'volatility_target': {
      const given = reader.fields(value, path, ['type', 'length', 'annualPercent', 'over']) ?? {};
      return {
        type: 'volatility_target',
        length: reader.whole(given['length'], join(path, 'length'), length),
        annualPercent: reader.number(given['annualPercent'], join(path, 'annualPercent'), {
          min: 0.1,
          max: 200,
        }),
        over: reader.oneOf(given['over'] ?? 'universe', join(path, 'over'), OVER),
      };
    }
    case 'conviction': {
      const given = reader.fields(value, path, ['type', 'by', 'maxPercent']) ?? {};
      if (features.length === 0) reader.fail(join(path, 'by'), 'must name a feature, and none is declared');
      const by = features.length === 0 ? '' : reader.oneOf(given['by'], join(path, 'by'), features);
      if (given['maxPercent'] === undefined) return { type: 'conviction', by };
      const range = { min: 1, max: 100 };
      return {
        type: 'conviction',
        by,
        maxPercent: reader.number(given['maxPercent'], join(path, 'maxPercent'), range),
      };
    }
  }
}

function parseFixed(reader: Reader, value: unknown, universe: readonly Symbol[]): Weighting {
  const path = 'weighting.weights';
  const given = reader.fields(value, path, universe) ?? {};
  const weights: { [symbol: string]: number } = {};
  let sum = 0;
  for (const symbol of universe) {
    if (given[symbol] === undefined) continue;
    weights[symbol] = reader.number(given[symbol], join(path, symbol), { min: 0, max: 1 });
    sum += weights[symbol];
  }
  if (sum > 1 + 1e-9) reader.fail(path, 'add up to more than 1: nothing is borrowed');
  if (sum === 0) reader.fail(path, 'give no instrument a weight');
  return { type: 'fixed', weights };
}

export function parseExits(reader: Reader, value: unknown): Exits {
  const given = reader.fields(value ?? {}, 'exits', ['stopPercent', 'targetPercent', 'maxBars']) ?? {};
  const percent = { min: 0.01, max: 1_000 };
  const exits: { -readonly [Name in keyof Exits]: Exits[Name] } = {};
  if (given['stopPercent'] !== undefined) {
    exits.stopPercent = reader.number(given['stopPercent'], 'exits.stopPercent', { ...percent, max: 99 });
  }
  if (given['targetPercent'] !== undefined) {
    exits.targetPercent = reader.number(given['targetPercent'], 'exits.targetPercent', percent);
  }
  if (given['maxBars'] !== undefined) {
    exits.maxBars = reader.whole(given['maxBars'], 'exits.maxBars', { min: 1, max: 10_000 });
  }
  return exits;
}

const WEIGHTINGS = ['equal', 'fixed', 'inverse_volatility', 'volatility_target', 'conviction'] as const;
const OVER = ['universe', 'held'] as const;
