import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import { AllocationChart } from './allocation-chart.tsx';

const deployment = (name: string, equity: number, notionals: readonly number[]) =>
  ({
    id: name,
    strategy_name: name,
    equity,
    positions: notionals.map((notional_value) => ({ notional_value })),
  }) as unknown as Deployment;

const textOf = (deployments: readonly Deployment[]) =>
  renderToStaticMarkup(createElement(AllocationChart, { deployments }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('each deployment has its part of the whole, the largest first', () => {
  const text = textOf([deployment('Small', 2_500, []), deployment('Large', 7_500, [])]);
  expect(text).toMatch(/Large 75\.0% \$7,500 .*Small 25\.0% \$2,500/);
});

test('a pair of long and short is exposed by both legs, though they cancel out in value', () => {
  expect(textOf([deployment('Pair', 10_000, [2_600, -2_600])])).toContain('52% in the market');
});

test('nothing is drawn where there is no value to divide', () => {
  expect(textOf([deployment('Lost', 0, [])])).toBe('');
});
