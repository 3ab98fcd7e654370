import { expect, test } from 'vitest';
import { changesOf } from './changes-of.ts';

test('a change says what each field was and became, a new row what it is, a list itself', () => {
  expect(
    changesOf(
      '{"from": {"status": "active", "reason_code": null}, "to": {"status": "paused", "reason_code": "asked"}}',
    ),
  ).toEqual([
    { name: 'status', text: 'active → paused' },
    { name: 'reason_code', text: 'none → asked' },
  ]);
  expect(changesOf('{"to": {"role": "support"}}')).toEqual([{ name: 'role', text: 'support' }]);
  expect(changesOf('{"orders": 2, "ids": ["a", "b"]}')).toEqual([
    { name: 'orders', text: '2' },
    { name: 'ids', text: '["a","b"]' },
  ]);
});
