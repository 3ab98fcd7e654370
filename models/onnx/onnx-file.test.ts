import { expect, test } from 'vitest';
import { ProtobufWriter } from './protobuf-writer.ts';

// The two examples of protobuf.dev, encoding: field 1 = 150, and field 2 = "testing".
test('writes whole numbers and texts as the published examples', () => {
  expect([...new ProtobufWriter().whole(1, 150).finish()]).toEqual([0x08, 0x96, 0x01]);
  expect([...new ProtobufWriter().text(2, 'testing').finish()]).toEqual([
    0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67,
  ]);
});

test('packs repeated numbers as the published example', () => {
  expect([...new ProtobufWriter().wholes(6, [3, 270, 86_942]).finish()]).toEqual([
    0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05,
  ]);
});

test('refuses what the form cannot hold', () => {
  expect(() => new ProtobufWriter().whole(1, -1)).toThrow(RangeError);
  expect(() => new ProtobufWriter().whole(1, 0.5)).toThrow(RangeError);
});
