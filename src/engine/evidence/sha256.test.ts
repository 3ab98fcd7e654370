import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex, sha256HexOfBytes, utf8Bytes } from './sha256.ts';

const reference = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

describe('sha256', () => {
  it('gives the digests that FIPS 180-4 publishes', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('agrees with the platform at every length around the block limits', () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
      expect(sha256HexOfBytes(bytes)).toBe(reference(bytes));
    }
  });

  it('agrees with the platform on any text and any bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => sha256Hex(text) === reference(text)));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (b) => sha256HexOfBytes(b) === reference(b)));
  });

  it('agrees with the platform on texts that begin alike, in any order', () => {
    const ending = fc.string({ unit: 'binary', maxLength: 120 });
    const starts = ['a'.repeat(63), 'a'.repeat(64), 'b'.repeat(64), 'é'.repeat(40), ''];
    const text = fc.tuple(fc.constantFrom(...starts), ending).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) =>
        texts.every((one) => sha256Hex(one) === reference(one)),
      ),
    );
  });

  it('encodes a lone surrogate as the replacement character', () => {
    expect([...utf8Bytes('a\ud800b')]).toEqual([...new TextEncoder().encode('a\ud800b')]);
  });
});
