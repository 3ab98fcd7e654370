import { expect, test } from 'vitest';
import { WAITING_DESK } from '#tests/quality/waiting-desk.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { summaryOf } from './waiting-summary.ts';

const none = { results: [], has_more: false };
const EMPTY: OperationsDesk = {
  ...WAITING_DESK,
  incidents: none,
  connections: none,
  kill_switches: [],
  orders: none,
  differences: none,
  missing_holdings: none,
  cash_differences: none,
  executions: none,
  unread_rows: none,
  missing_commissions: none,
  unprotected: none,
  quarantined: none,
  differing_books: none,
  liquidations: none,
  unpaid_clients: none,
  refunds: none,
  dead_letters: none,
};
const ofKind = (wanted: string) => WAITING_DESK.incidents.results.find(({ kind }) => kind === wanted);
const [quarantined, lost] = [ofKind('deployment_quarantined'), ofKind('connection_lost')];
const seen = { isTraderSeen: true };
const withIncidents = (...results: OperationsDesk['incidents']['results']) => ({
  ...EMPTY,
  incidents: { results, has_more: false },
});

test('nothing waits for you only when nothing does, and a trader would have seen it', () => {
  expect(summaryOf(EMPTY, seen)).toBe('Nothing waits for you, nothing is halted.');
  expect(summaryOf(EMPTY, { isTraderSeen: false })).not.toContain('Nothing waits for you');
  expect(summaryOf(withIncidents(quarantined!), seen)).toBe('1 item to review, nothing is halted.');
  expect(summaryOf({ ...EMPTY, incidents: { results: [], has_more: true } }, seen)).toContain(
    'or more to review',
  );
});

test('what others must end is counted apart, until it is to be acted on now', () => {
  expect(summaryOf(withIncidents(lost!), seen)).toBe(
    'Nothing waits for you, 1 incident with others, nothing is halted.',
  );
  expect(summaryOf(withIncidents({ ...lost!, severity: 'act_now' }), seen)).toBe(
    '1 item to review, nothing is halted.',
  );
});

test('an incident that is decided in a list below is counted once', () => {
  const order = { ...quarantined!, kind: 'order_unconfirmed' as const };
  expect(summaryOf({ ...withIncidents(order), orders: WAITING_DESK.orders }, seen)).toBe(
    '1 item to review, nothing is halted.',
  );
});
