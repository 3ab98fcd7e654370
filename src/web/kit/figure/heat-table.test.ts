import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { HeatTable } from './heat-table.tsx';

const months = [0.9, 1.1, 3.1, 5.1, -1, -1.1, -3.1, -5.1].map((value, i) => ({
  month: i + 1,
  return: value,
}));
const html = renderToStaticMarkup(
  createElement(HeatTable, { caption: 'Monthly Returns', years: [{ year: 2025, months }] }),
);
const colours = [...html.matchAll(/<td class="([^"]*)"/g)].map(
  ([, classes]) => /bg-(gain|loss)\/\d+/.exec(classes ?? '')?.[0] ?? 'none',
);

test('gains and losses grow stronger above 1, 3 and 5 percent', () => {
  expect(colours.slice(0, 8)).toEqual([
    'none',
    'bg-gain/12',
    'bg-gain/22',
    'bg-gain/34',
    'none',
    'bg-loss/12',
    'bg-loss/22',
    'bg-loss/34',
  ]);
});

test('a month without a figure shows a dash', () => {
  expect(html.match(/>-<\/td>/g)).toHaveLength(4);
});
