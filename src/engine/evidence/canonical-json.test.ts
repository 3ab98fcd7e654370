import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('sorts keys at every depth and writes no white space', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: 1e21, 10: true, 9: -0 })).toBe(
      '{"10":true,"9":0,"a":1e+21,"b":[1,{"c":"x","d":null}]}',
    );
  });

  it('does not depend on the order in which keys were written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        return canonicalJson(value) === canonicalJson(turned);
      }),
    );
  });

  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    [{ a: Number.NaN }, '$.a is NaN'],
    [[1, Number.POSITIVE_INFINITY], '$[1] is Infinity'],
    [{ a: { b: undefined } }, '$.a.b is undefined'],
    [{ when: new Date(0) }, '$.when is not a plain object'],
    [{ big: 1n }, '$.big is bigint'],
  ])('refuses %o and names the place', (value, message) => {
    expect(() => canonicalJson(value)).toThrow(message);
  });
});
