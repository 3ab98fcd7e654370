import { expect, test } from 'vitest';
import { readableRow } from './readable-row.ts';

test('a row has one field a line, and one that was cut stays as it came', () => {
  expect(readableRow('{"price":"<b>?","size":1}')).toBe('{\n  "price": "<b>?",\n  "size": 1\n}');
  expect(readableRow('{"price":"one and')).toBe('{"price":"one and');
});
