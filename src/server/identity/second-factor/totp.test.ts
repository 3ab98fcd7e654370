import { expect, test } from 'vitest';
import { base32, codeOf, matchStep, otpauthUrl, STEP_SECONDS } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  expect(codeOf(SECRET, Math.floor(seconds / STEP_SECONDS), 8)).toBe(code);
});

// RFC 4226, appendix D.
test.each(
  '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'
    .split(' ')
    .map((code, i) => [i, code]),
)('at counter %i the code is %s', (counter, code) => {
  expect(codeOf(SECRET, counter)).toBe(code);
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base32', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('a code is right for its 30 seconds and one step around them', () => {
  const step = 41_152_263;
  const at = step * STEP_SECONDS * 1000;
  for (const near of [step - 1, step, step + 1])
    expect(matchStep(SECRET, codeOf(SECRET, near), at)).toBe(near);
  for (const far of [step - 2, step + 2]) expect(matchStep(SECRET, codeOf(SECRET, far), at)).toBeNull();
});

test('the address names issuer, account and secret', () => {
  expect(otpauthUrl(SECRET, { issuer: 'Bellwether', account: 'ada@example.test' })).toBe(
    'otpauth://totp/Bellwether:ada%40example.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Bellwether&digits=6&period=30',
  );
});
