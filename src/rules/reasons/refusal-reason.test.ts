import { expect, test } from 'vitest';
import { type Refusal, REFUSAL_CODES, type RefusedOrder } from '#engine/order/order.ts';
import { SECURITY_EVENTS, type StoppingEvent } from '#engine/market/security-change.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { refusalReason } from './refusal-reason.ts';

const PARAMETERS = {
  limitPercent: 20,
  askedPercent: 25,
  least: 0.001,
  underlying: 'SPY' as Symbol,
  event: 'spin_off',
  date: '2026-08-15' as IsoDate,
  until: '2026-09-15' as IsoDate,
};

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

test('an event that stops a share is named with its day and the end of the stop, where they are known', () => {
  const { date, until } = PARAMETERS;
  expect(refusalReason({ code: 'security_event', event: 'spin_off', date, until })).toBe(
    'A spin-off on 15 August 2026 changes what it is: nothing is ordered until 15 September 2026.',
  );
  const events = SECURITY_EVENTS.filter((event): event is StoppingEvent => event !== 'rename');
  const undated = events.map((event) =>
    refusalReason({ code: 'security_event', event, date: null, until: null }),
  );
  expect(new Set(undated).size).toBe(events.length);
  expect(undated[0]).toBe('A merger stops it: nothing is ordered until that is clear.');
});
