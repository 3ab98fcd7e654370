import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { composeAgreement } from '../document/compose-agreement.ts';
import { sealDocument } from './seal-document.ts';
import { openSealKey } from './seal-key.ts';
import { verifySeal } from './verify-seal.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'seal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const now = new Date('2026-11-20T10:00:00Z');
const key = await openSealKey(path.join(folder, 'keys.pem'), { owner: 'An Adviser', now });
const text = {
  template: 'investment-agreement',
  version: '1',
  language: 'en',
  title: 'Agreement',
  consent: 'I agree.',
  electronicConsent: 'I agree to sign electronically.',
  preamble: ['Between us.'],
  sections: [{ heading: '1. Only', paragraphs: ['A paragraph. '.repeat(400)] }],
};
const sealed = await sealDocument(await composeAgreement(text, { composedAt: now }), {
  key,
  sealedAt: now,
  reason: 'test',
});

test('a sealed document is intact under the certificate that sealed it', () => {
  expect(verifySeal(sealed, [key.fingerprint])).toEqual({ intact: true, fingerprint: key.fingerprint });
});

test('a seal by an untrusted certificate is refused', () => {
  expect(verifySeal(sealed, ['00'])).toEqual({ intact: false, reason: 'unknown-certificate' });
});

test('one changed byte anywhere breaks the seal', () => {
  const faults = new Set<string>();
  for (let at = 7; at < sealed.length; at += 997) {
    const changed = Uint8Array.from(sealed);
    changed[at] = changed[at]! ^ 1;
    const check = verifySeal(changed, [key.fingerprint]);
    // Only the zeros that pad the space for the signature may change.
    if (check.intact) expect(Buffer.from(sealed).toString('latin1', at - 8, at + 8)).toMatch(/^0+$/);
    else faults.add(check.reason);
  }
  expect(faults).toContain('digest-differs');
});

test('a changed signature is refused', () => {
  const changed = Buffer.from(sealed);
  const contents = changed.indexOf('/Contents <3') + '/Contents <'.length;
  expect(contents).toBeGreaterThan(20);
  const end = changed.indexOf('00000000000000000000', contents) - 8;
  changed[end] = changed[end] === 0x31 ? 0x32 : 0x31;
  expect(verifySeal(changed, [key.fingerprint])).toMatchObject({ intact: false });
});

test('bytes after the seal are refused', () => {
  expect(verifySeal(Buffer.concat([sealed, Buffer.from('%more')]), [key.fingerprint])).toEqual({
    intact: false,
    reason: 'not-whole-file',
  });
});

test('a document without a seal is reported as unsealed', async () => {
  const bare = await composeAgreement(text, { composedAt: now });
  expect(verifySeal(bare, [key.fingerprint])).toEqual({ intact: false, reason: 'no-seal' });
});

test('the key is created once, even under concurrent calls, and only its owner can read it', async () => {
  const keys = path.join(folder, 'crowd');
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      openSealKey(path.join(keys, 'agreement-seal.pem'), { owner: 'An Adviser', now }),
    ),
  );
  expect(new Set(made.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  expect(readdirSync(keys)).toEqual(['agreement-seal.pem']);
  if (process.platform !== 'win32') {
    expect(statSync(path.join(keys, 'agreement-seal.pem')).mode & 0o077).toBe(0);
  }
});
