import { expect, test } from 'vitest';
import { type Schema, writeType } from './write-types.ts';

const cases: readonly [Schema, string][] = [
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'string', contentEncoding: 'binary' }, 'Blob'],
  [{ const: 'ui' }, '"ui"'],
  [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
  [{ anyOf: [{ $ref: '#/$defs/Trade' }, { type: 'null' }] }, 'Trade | null'],
  [
    { type: 'array', items: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] } },
    'Array<number | boolean>',
  ],
  [{ type: 'object' }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [
    { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: { type: 'number' } },
    'Partial<Record<"a" | "b", number>>',
  ],
  [
    {
      type: 'object',
      properties: { id: { type: 'string', description: 'Ends no */ comment.' }, 'two-words': {} },
      required: ['id'],
    },
    '{ /** Ends no * / comment. */ id: string; "two-words"?: unknown; }',
  ],
];

test.each(cases)('%j', (schema, type) => {
  expect(writeType(schema)).toBe(type);
});

test('what has no type is refused, not left out', () => {
  for (const schema of [
    { patternProperties: {} } as Schema,
    { type: 'date' },
    { allOf: [{}] },
    { $ref: '#' },
  ])
    expect(() => writeType(schema)).toThrow();
});
