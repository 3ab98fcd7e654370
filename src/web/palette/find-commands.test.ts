import { expect, test } from 'vitest';
import { findCommands } from './find-commands.ts';

const commands = [
  { id: '1', label: 'Compass Trend', hint: 'Strategy', words: 'trend following equity' },
  { id: '2', label: 'Second Opinion', hint: 'Strategy', words: 'machine learning' },
  { id: '3', label: 'Dashboard', hint: 'Page' },
  { id: '4', label: 'Second Opinion', hint: 'Deployment, active' },
];
const found = (query: string) => findCommands(commands, query).map(({ id }) => id);

test('without a query the first ones are offered, in their order', () => {
  expect(found('')).toEqual(['1', '2', '3', '4']);
  expect(found('  ')).toEqual(['1', '2', '3', '4']);
});

test('the start of a label goes before the start of a word, and that before letters inside', () => {
  expect(found('comp')).toEqual(['1']);
  expect(found('op')[0]).toBe('2');
  expect(found('dep')).toEqual(['4']);
});

test('every word must be found, in whatever part', () => {
  expect(found('second active')).toEqual(['4']);
  expect(found('second dashboard')).toEqual([]);
});

test('letters in their order find a label that was typed in haste', () => {
  expect(found('dshbrd')).toEqual(['3']);
  expect(found('zzz')).toEqual([]);
});
