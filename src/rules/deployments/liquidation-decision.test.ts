import { expect, test } from 'vitest';
import { isoText, parseInstant } from '#units/instant.ts';
import { liquidationDecisionDue } from './liquidation-decision.ts';

test.each([
  ['on a Tuesday, a day later', '2026-11-24T15:00:00.000Z', '2026-11-25T15:00:00.000Z'],
  ['on a Thursday, on Friday', '2026-11-26T15:00:00.000Z', '2026-11-27T15:00:00.000Z'],
  ['on a Friday, on Monday', '2026-11-27T15:00:00.000Z', '2026-11-30T15:00:00.000Z'],
  ['on a Saturday, on Tuesday at the latest', '2026-11-28T09:00:00.000Z', '2026-12-01T09:00:00.000Z'],
  ['on a Sunday, on Tuesday at the latest', '2026-11-29T23:00:00.000Z', '2026-12-01T23:00:00.000Z'],
])('what is asked for %s', (_when, asked, due) => {
  expect(isoText(liquidationDecisionDue(parseInstant(asked)))).toBe(due);
});
