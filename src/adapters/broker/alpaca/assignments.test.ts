import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { listAssignments } from './assignments.ts';

const DAY = '2026-02-05' as IsoDate;
const CALL = 'AAA260320C00102000';
const PUT = 'AAA260320P00090000';
const row = (id: string, qty: string, more: object = {}) => ({
  id,
  activity_type: 'OPASN',
  date: DAY,
  net_amount: '0',
  symbol: CALL,
  qty,
  status: 'executed',
  ...more,
});
const listed = async (...rows: object[]) => {
  const answer = await listAssignments(
    async () => ({ outcome: 'ok', value: rows }),
    (name) => (name === CALL || name === PUT ? (name as Symbol) : null),
    DAY,
  );
  if (answer.outcome === 'failed') throw new Error(answer.reason);
  return answer.value.map(({ activityId, contracts, corrects }) => [
    activityId,
    contracts / 1e8,
    corrects ?? [],
  ]);
};

it('lists what was assigned, by the id of its activity', async () => {
  expect(await listed(row('a', '2'), row('b', '1', { symbol: 'ZZZ260320C00102000' }))).toEqual([
    ['a', 2, []],
  ]);
});

it('leaves out what is cancelled, as a status or by a row of its own', async () => {
  expect(await listed(row('a', '2', { status: 'canceled' }), row('b', '1'))).toEqual([['b', 1, []]]);
  expect(await listed(row('a', '2'), row('b', '2', { status: 'canceled', previous_id: 'a' }))).toEqual([]);
});

it('puts a corrected row in the place of those before it, and names them', async () => {
  const rows = [
    row('a', '2'),
    row('b', '3', { status: 'correct', previous_id: 'a' }),
    row('c', '1', { status: 'correct', previous_id: 'b' }),
  ];
  expect(await listed(...rows)).toEqual([['c', 1, ['b', 'a']]]);
  expect(await listed(...rows.toReversed())).toEqual([['c', 1, ['b', 'a']]]);
});

it('ends an assignment by a later row that gives the contracts back, and no other one', async () => {
  expect(await listed(row('a', '2'), row('b', '1'), row('c', '-2'))).toEqual([['b', 1, []]]);
  expect(await listed(row('a', '2'), row('b', '-1'))).toEqual([['a', 2, []]]);
  expect(await listed(row('a', '2'), row('b', '-2', { symbol: PUT }))).toEqual([['a', 2, []]]);
});

it('ends with rows that correct each other', async () => {
  expect(await listed(row('a', '1', { previous_id: 'b' }), row('b', '1', { previous_id: 'a' }))).toEqual([]);
});
