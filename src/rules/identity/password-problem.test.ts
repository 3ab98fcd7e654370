import { expect, test } from 'vitest';
import { passwordProblem } from './password-problem.ts';

const COMMON = new Set(['password', '12345678', 'qwertyuiop', 'sunshine', 'dragon']);
const problem = (password: string, isStaff = false) =>
  passwordProblem({ password, email: 'grace.hopper@example.test', name: 'Grace Hopper', isStaff }, (word) =>
    COMMON.has(word),
  );

test.each([
  ['password', 'one of the most common'],
  ['Password2026', 'one of the most common'],
  ['P@ssw0rd!!', 'one of the most common'],
  ['12345678', 'one of the most common'],
  ['dragon99', 'one of the most common'],
  ['aaaaaaaaaaaa', 'repeats a few characters'],
  ['ababababab', 'repeats a few characters'],
  ['Bellwether2026!', 'words of this product'],
  ['bellwether-trading', 'words of this product'],
  ['gracehopper1906', 'your name or e-mail'],
  ['Hopper-Invest-1', 'your name or e-mail'],
  ['short', 'at least 8 characters'],
])('%s is refused: %s, and the sentence says what would do', (password, reason) => {
  expect(problem(password)).toContain(reason);
  expect(problem(password)).toContain('Three or four words');
});

test.each([
  'correct horse battery',
  'demo-investor',
  'my broker likes figs',
  'Grace wants 3 ravens',
  '猫が窓辺で本を読む',
])('%s is taken', (password) => {
  expect(problem(password)).toBeNull();
});

test('staff need twelve characters', () => {
  expect(problem('fig raven 9')).toBeNull();
  expect(problem('fig raven 9', true)).toContain('staff needs at least 12 characters');
  expect(problem('fig raven 99', true)).toBeNull();
});
