import { expect, test } from 'vitest';
import { noticeEntries } from './notice-entries.ts';

const notice = (kind: string, decision: string | null, message = kind) => ({
  kind,
  title: kind,
  message,
  decision,
});

test('the orders of one decision are one entry, others stand alone, in the order of their first notice', () => {
  const entries = noticeEntries([
    notice('order_filled', 'd1', 'a'),
    notice('paused', null, 'b'),
    notice('order_filled', 'd1', 'c'),
    notice('paused', null, 'd'),
    notice('order_not_filled', 'd2', 'e'),
  ]);
  expect(entries.map(({ title, notices }) => [title, notices.map(({ message }) => message)])).toEqual([
    ['2 fills', ['a', 'c']],
    ['paused', ['b']],
    ['paused', ['d']],
    ['order_not_filled', ['e']],
  ]);
});

test.each([
  [['order_filled', 'order_filled', 'order_not_filled'], '2 fills, 1 not filled'],
  [['order_not_filled', 'order_not_filled'], '2 orders not filled'],
  [['order_filled', 'order_not_filled'], '1 fill, 1 not filled'],
  [['order_filled', 'stop_loss'], 'stop_loss'],
])('%j is titled %s', (kinds, title) => {
  expect(noticeEntries(kinds.map((kind) => notice(kind, 'd')))[0]!.title).toBe(title);
});
