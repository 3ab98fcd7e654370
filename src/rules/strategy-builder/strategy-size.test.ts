import { expect, test } from 'vitest';
import { USUAL_INPUT } from './builder-input.ts';
import { previewSentence } from './preview-sentence.ts';
import { aimedVolatility, aimsSentence, neededSharpe } from './strategy-size.ts';

test('the drawdown limit sets the size, up to what the risk level allows', () => {
  expect(aimedVolatility({ maxDrawdown: 15, riskLevel: 'medium' })).toBe(6);
  expect(aimedVolatility({ maxDrawdown: 30, riskLevel: 'low' })).toBe(6);
  expect(aimedVolatility({ maxDrawdown: 30, riskLevel: 'high' })).toBe(12);
  expect(aimedVolatility({ maxDrawdown: 5, riskLevel: 'high' })).toBe(2);
});

test('a return that hardly any strategy reaches at that size is called so', () => {
  expect(neededSharpe(USUAL_INPUT)).toBe(3.3);
  expect(aimsSentence(USUAL_INPUT)).toContain('Expect less');
  const modest = { ...USUAL_INPUT, maxDrawdown: 30, riskLevel: 'high', targetReturn: 10 } as const;
  expect(aimsSentence(modest)).toContain('Neither figure is promised');
});

test('of options it says that the drawdown limit sets nothing', () => {
  expect(aimsSentence({ ...USUAL_INPUT, assetClass: 'options' })).toContain('does not set the size');
});

test('the preview names market, risk, style, both aims and the minimum', () => {
  expect(previewSentence(USUAL_INPUT)).toBe(
    'A medium-risk strategy on shares and funds by momentum, aiming at 20% a year with a maximum drawdown of 15%, from $10,000.',
  );
});
