import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { readIdentityCheck } from './identity-settings.ts';
import { readSigning } from './signing-settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'signing-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const keyFile = path.join(folder, 'app.pem');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
const whole = {
  ESIGN: 'docusign',
  DOCUSIGN_INTEGRATION_KEY: 'key',
  DOCUSIGN_USER_ID: 'user',
  DOCUSIGN_PRIVATE_KEY_FILE: keyFile,
  DOCUSIGN_CONNECT_KEYS: 'a key of sixteen and more, another key of sixteen',
};
const read = (settings: Record<string, string>) => readSigning((name) => settings[name] ?? null);

test('our own page signs unless told otherwise', () => {
  expect(read({})).toBeNull();
  expect(read({ ESIGN: 'embedded' })).toBeNull();
  expect(() => read({ ESIGN: 'other' })).toThrow('ESIGN must be one of embedded, docusign');
});

test.each(Object.keys(whole).filter((name) => name !== 'ESIGN'))('without %s the start names it', (name) => {
  const { [name as keyof typeof whole]: _, ...rest } = whole;
  expect(() => read(rest)).toThrow(`ESIGN=docusign needs ${name}`);
});

test('the demo world and the real one have their own addresses, and a stand-in is on this machine', () => {
  expect(read(whole)).toMatchObject({ authUrl: 'https://account-d.docusign.com' });
  expect(read({ ...whole, DOCUSIGN_WORLD: 'production' })).toMatchObject({
    authUrl: 'https://account.docusign.com',
    scriptUrl: 'https://js.docusign.com/bundle.js',
  });
  expect(read({ ...whole, DOCUSIGN_STAND_IN_URL: 'http://127.0.0.1:3220' })).toMatchObject({
    scriptUrl: 'http://127.0.0.1:3220/bundle.js',
    noticeKeys: ['a key of sixteen and more', 'another key of sixteen'],
  });
  expect(() => read({ ...whole, DOCUSIGN_STAND_IN_URL: 'https://elsewhere.example' })).toThrow(
    'a stand-in must be on this machine',
  );
});

test('a file without a key and a short Connect key are refused', () => {
  expect(() => read({ ...whole, DOCUSIGN_PRIVATE_KEY_FILE: path.join(folder, 'none') })).toThrow(
    'holds no private key',
  );
  expect(() => read({ ...whole, DOCUSIGN_CONNECT_KEYS: 'short' })).toThrow('DOCUSIGN_CONNECT_KEYS');
});

test('the demo world signs on our own page', () => {
  expect(() => readEnvironment(whole)).toThrow('ESIGN=docusign is not for BROKER=sandbox');
});

test('a check of identities needs a key, and an address that nobody can listen in on', () => {
  const check = (settings: Record<string, string>) => readIdentityCheck((name) => settings[name] ?? null);
  expect(check({})).toBeNull();
  expect(() => check({ IDENTITY_CHECK_URL: 'https://a.test' })).toThrow('IDENTITY_CHECK_KEY');
  expect(() => check({ IDENTITY_CHECK_URL: 'http://a.test', IDENTITY_CHECK_KEY: 'k' })).toThrow('use https');
  expect(() => check({ IDENTITY_CHECK_URL: 'a.test', IDENTITY_CHECK_KEY: 'k' })).toThrow(
    'must be an address',
  );
});
