import { expect, test } from 'vitest';
import { FIRST_FEE_BILL } from '#tests/support/first-fee-bill.ts';
import { unpaidConsequence } from './unpaid-consequence.ts';

test('an unpaid bill says what follows next, with its day', () => {
  const bill = {
    ...FIRST_FEE_BILL,
    id: 'b',
    deployment: 'd',
    strategy_name: 'Compass Trend',
    number: 1,
    period_start: '2026-03-02T00:00:00Z',
    period_end: '2026-04-01T00:00:00Z',
    due_at: '2026-04-06T00:00:00Z',
    billed_at: '2026-04-01T00:00:02Z',
  };
  const said = (['overdue', 'stopped', 'closable'] as const).map((unpaid_stage) =>
    unpaidConsequence({ ...bill, unpaid_stage }),
  );
  expect(said).toEqual([
    'If it is unpaid on 20 Apr 2026, no new positions are opened in any of your deployments.',
    'No new positions are opened until it is paid. From 6 May 2026 our support may close your account.',
    'Our support may now close your account. Nothing you hold is sold.',
  ]);
});
