import { expect, it } from 'vitest';
import { DAY_MS, type Instant, instant, parseInstant } from '#units/instant.ts';
import { stageAt, UNPAID_STAGES, unpaidStage } from './unpaid-fee.ts';

const DUE = parseInstant('2026-04-06');
const after = (days: number): Instant => instant(DUE + days * DAY_MS);

it('reminds at the due date and a week later, stops new exposure after two, and may close after a month', () => {
  const stages = [-0.001, 0, 6.999, 7, 13.999, 14, 29.999, 30, 400].map((days) =>
    unpaidStage(DUE, after(days)),
  );
  expect(stages).toEqual([
    null,
    'overdue',
    'overdue',
    'reminded',
    'reminded',
    'stopped',
    'stopped',
    'closable',
    'closable',
  ]);
});

it('takes the steps in their order', () => {
  const at = UNPAID_STAGES.map((stage) => stageAt(stage, DUE));
  expect(at.toSorted((left, right) => left - right)).toEqual(at);
});
