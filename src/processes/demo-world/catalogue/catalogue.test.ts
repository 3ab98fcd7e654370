import { expect, test } from 'vitest';
import { INSTRUMENT_KINDS } from '#engine/market/instrument.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';

import { publishResult } from '#results/publish-result.ts';
import { planOf } from '#rules/billing/plans.ts';
import { strategyRiskScore } from '#rules/suitability/strategy-risk.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import { trainingHistory } from '../../../../models/training-history.ts';
import { CALM_LISTINGS } from './calm-listings.ts';
import { simulatedListings } from './simulated-listings.ts';

const LISTINGS = simulatedListings();

test('every strategy is a valid definition and names its source with the year', () => {
  for (const { slug, definition } of LISTINGS) {
    const parsed = parseDefinition(definition);
    expect(parsed.ok ? [] : parsed.errors, slug).toEqual([]);
    expect(String(definition['notes']), slug).toMatch(/after .*(19|20)\d\d/i);
  }
});

test('the catalogue contains every kind and every type', () => {
  expect(new Set(LISTINGS.map(({ kind }) => kind))).toEqual(new Set(INSTRUMENT_KINDS));
  expect(new Set(LISTINGS.map(({ strategyType }) => strategyType))).toEqual(
    new Set([
      'deep_learning',
      'ml_based',
      'hybrid',
      'momentum',
      'mean_reversion',
      'trend_following',
      'arbitrage',
    ]),
  );
});

test('a hybrid has a model and a rule, and only strategies with a model, or decided by one, declare it', () => {
  for (const { slug, strategyType, definition } of LISTINGS) {
    const learned = ['deep_learning', 'ml_based', 'hybrid'].includes(strategyType);
    const { type } = definition['rule'] as { readonly type: string };
    expect(definition['model'] !== undefined || type === 'decider', slug).toBe(learned);
  }
});

test('who is told that a model decides is told in the same words that a stand-in answers here', () => {
  for (const { slug, definition, shortDescription, description } of LISTINGS) {
    const rule = definition['rule'] as { readonly type: string; readonly model?: string };
    if (rule.type !== 'decider') continue;
    expect(rule.model, slug).toBe('stand-in');
    expect(shortDescription, slug).toContain('stand-in');
    expect(description, slug).toContain('a stand-in answers by a simple rule');
  }
});

test('a strategy that writes options covers each of them within the usual limit for one position', () => {
  for (const { definition } of LISTINGS) {
    const parsed = parseDefinition(definition);
    if (!parsed.ok || parsed.definition.options === undefined) continue;
    const { gross, universe, options } = parsed.definition;
    expect(gross / universe.length).toBeLessThanOrEqual(0.2);
    expect(options.underlyings).toEqual(universe);
  }
});

test('the minimum is 5000 to 50000 dollars; only writing calls on round lots of shares needs more, and one of coins less', () => {
  const others = ['harvest-covered-call', 'tidal-coins'];
  const minimums = LISTINGS.filter(({ slug }) => !others.includes(slug)).map(
    ({ minInvestmentDollars }) => minInvestmentDollars,
  );
  expect(Math.min(...minimums)).toBe(5_000);
  expect(Math.max(...minimums)).toBeLessThanOrEqual(50_000);
});

test('the Free plan runs one strategy whole: what it holds is divisible, so that its sizes are right within a percent of 1000 dollars', () => {
  const cap = fromMicro(planOf('free').maxTotalInvestment);
  const within = LISTINGS.filter(({ minInvestmentDollars }) => minInvestmentDollars <= cap);
  expect(within.map(({ slug }) => slug)).toEqual(['tidal-coins']);
  const { series, instruments } = trainingHistory();
  const [parsed] = within.map(({ definition }) => parseDefinition(definition));
  if (!parsed?.ok) throw new Error('it parses');
  for (const symbol of parsed.definition.universe) {
    const { quantityStep } = instruments.get(symbol)!;
    const price = series.get(symbol)!.close.at(-1)!;
    expect(fromQuantity(quantityStep) * price, symbol).toBeLessThan(cap / 100);
  }
});

test('three strategies from 5000 dollars are measured at a risk score of 1 or 2, one of them at 1', () => {
  const { series, instruments } = trainingHistory();
  const scores = CALM_LISTINGS.map(({ definition, minInvestmentDollars }) => {
    const parsed = parseDefinition(definition);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const read = new Set([...parsed.definition.universe, parsed.definition.benchmark]);
    const published = publishResult({
      versionId: 'v' as StrategyVersionId,
      definition: parsed.definition,
      instruments,
      series: new Map([...series].filter(([symbol]) => read.has(symbol))),
      engine: 'measured in a test',
    });
    return { score: strategyRiskScore(published!.risk), minInvestmentDollars };
  });
  expect(scores).toEqual([1, 2, 2].map((score) => ({ score, minInvestmentDollars: 5_000 })));
});
