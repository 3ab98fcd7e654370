import { expect, test } from 'vitest';
import { type Refusal, REFUSAL_CODES, type RefusedOrder } from '#engine/order/order.ts';
import type { Symbol } from '#units/identifiers.ts';
import { refusalReason } from './refusal-reason.ts';

const PARAMETERS = { limitPercent: 20, askedPercent: 25, least: 0.001, underlying: 'SPY' as Symbol };

test('every refusal has its own sentence, and none names the instrument shown next to it', () => {
  const sentences = REFUSAL_CODES.map((code) => refusalReason({ ...PARAMETERS, code } as Refusal));
  expect(new Set(sentences).size).toBe(REFUSAL_CODES.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('the numbers of a refusal are in its sentence', () => {
  const cut: RefusedOrder = {
    symbol: 'AAA' as Symbol,
    code: 'max_allocation',
    limitPercent: 25,
    askedPercent: 40,
  };
  expect(refusalReason(cut)).toBe('Your 25% limit made this position smaller: the strategy wanted 40%.');
});
