import { expect, test } from 'vitest';
import { firstStep, type Progress, reachableStep, stepAfter, stepBefore, visibleSteps } from './steps.ts';

const nothing: Progress = { hasProfile: false, isSigned: false, isConnected: false, isConfigured: false };
const signed: Progress = { ...nothing, hasProfile: true, isSigned: true };
const all: Progress = { hasProfile: true, isSigned: true, isConnected: true, isConfigured: true };

test('begins at the risk assessment unless profile and agreement are both there', () => {
  expect(firstStep(nothing)).toBe('risk-assessment');
  expect(firstStep({ ...nothing, hasProfile: true })).toBe('risk-assessment');
  expect(firstStep({ ...nothing, isSigned: true })).toBe('risk-assessment');
  expect(firstStep(signed)).toBe('broker-selection');
});

test('the agreement is not among the steps once it is signed', () => {
  expect(visibleSteps(nothing)).toContain('agreement');
  expect(visibleSteps(signed)).not.toContain('agreement');
  expect(stepAfter('risk-assessment', signed)).toBe('broker-selection');
  expect(stepBefore('broker-selection', signed)).toBe('risk-assessment');
  expect(stepBefore('broker-selection', { ...nothing, hasProfile: true })).toBe('agreement');
});

test.each([
  ['confirmation', nothing, 'risk-assessment'],
  ['confirmation', { ...nothing, hasProfile: true }, 'agreement'],
  ['agreement', signed, 'broker-selection'],
  ['broker-connection', signed, 'broker-connection'],
  ['configuration', signed, 'broker-selection'],
  ['confirmation', { ...signed, isConnected: true }, 'configuration'],
  ['confirmation', all, 'confirmation'],
  ['risk-assessment', all, 'risk-assessment'],
  ['nonsense', all, 'broker-selection'],
  [null, nothing, 'risk-assessment'],
] as const)('asked for %s, with %j done, shows %s', (asked, progress, step) => {
  expect(reachableStep(asked, progress)).toBe(step);
});

test('practice needs a profile and an amount, and neither agreement nor broker', () => {
  const practice = { ...nothing, isPractice: true };
  expect(visibleSteps(practice)).toEqual(['risk-assessment', 'configuration', 'confirmation']);
  expect(reachableStep('confirmation', practice)).toBe('risk-assessment');
  expect(reachableStep('agreement', practice)).toBe('risk-assessment');
  expect(reachableStep('broker-selection', { ...practice, hasProfile: true })).toBe('configuration');
  expect(reachableStep('confirmation', { ...practice, hasProfile: true })).toBe('configuration');
  expect(reachableStep('confirmation', { ...practice, hasProfile: true, isConfigured: true })).toBe(
    'confirmation',
  );
});

test('going on and back passes every step once', () => {
  const connected = { ...all };
  let step = firstStep(nothing);
  const passed = [step];
  while (step !== 'confirmation') {
    step = stepAfter(step, { ...connected, isSigned: false });
    passed.push(step);
  }
  expect(passed).toEqual([
    'risk-assessment',
    'agreement',
    'broker-selection',
    'broker-connection',
    'configuration',
    'confirmation',
  ]);
});
