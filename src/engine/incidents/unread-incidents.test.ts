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
  isForeign: false,
  isIgnored: false,
  ignoreRefusal: null,
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

it('opens none for rows that are set aside, or of which nobody needs to say what they are', () => {
  const quiet = [
    { ...verdict([], false), isForeign: true },
    { ...verdict([], false), isIgnored: true },
  ];
  expect(unreadIncidents(ACCOUNT, quiet)).toEqual([]);
  // A foreign row that names an order of ours is none.
  expect(unreadIncidents(ACCOUNT, [...quiet, verdict([AAA], true)])).toMatchObject([
    { kind: 'instrument_unsure', facts: { rows: 1 } },
  ]);
});
