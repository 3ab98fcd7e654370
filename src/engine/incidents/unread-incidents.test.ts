import { expect, it } from 'vitest';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import type { UnreadVerdict } from '../execution/reconciliation/unread-rows.ts';
import { unreadIncidents } from './unread-incidents.ts';

const ACCOUNT = 'U1' as BrokerAccountId;
const [AAA, BBB] = ['AAA', 'BBB'] as [Symbol, Symbol];
const row = {
  list: 'executions',
  key: 'e1',
  reason: 'price',
  clientOrderId: null,
  brokerOrderId: null,
  executionId: null,
  instrument: { type: 'unread' },
  raw: '{"price":"?"}',
} as const;
const verdict = (unsure: readonly Symbol[], concernsUs: boolean): UnreadVerdict => ({
  row,
  unsure,
  concernsUs,
});
const facts = { list: 'executions', part: 'price', said: row.raw };

it('opens one for each instrument on hold, and one for all rows that cannot be ours', () => {
  const verdicts = [
    verdict([], false),
    verdict([BBB], false),
    verdict([AAA, BBB], true),
    verdict([AAA], true),
  ];
  const about = { subject: ACCOUNT, accountId: ACCOUNT };
  expect(unreadIncidents(ACCOUNT, verdicts)).toEqual([
    { ...about, kind: 'row_unread', facts: { ...facts, rows: 2 } },
    { ...about, kind: 'instrument_unsure', symbol: AAA, facts: { ...facts, rows: 2 } },
    { ...about, kind: 'instrument_unsure', symbol: BBB, facts: { ...facts, rows: 1 } },
  ]);
  expect(unreadIncidents(ACCOUNT, [])).toEqual([]);
});
