// What the doctor says of key files, mail and database: each with the setting and the way out.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mailServer } from '#tests/support/mail-server.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { readEnvironment } from '../environment/environment.ts';
import { checkDatabase } from './check-database.ts';
import { checkKeys } from './check-keys.ts';
import { checkMail } from './check-mail.ts';
import { checkSessions } from './check-sessions.ts';

const records = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyFile(name: string, text: string, mode = 0o600): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const sealing = keyFile('sealing', randomBytes(32).toString('base64'));
const pem = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
const signature = keyFile('signature.pem', pem(2_048));

function findings(change: Record<string, string>) {
  const environment = readEnvironment({
    BROKER: 'interactive-brokers',
    BROKER_CLOCK: 'market',
    BROKER_BASE_URL: 'http://127.0.0.1:3200/v1/api',
    KEK_FILE: sealing,
    IBKR_SIGNATURE_KEY_FILE: signature,
    ...change,
  });
  return checkKeys(environment).map(
    ({ subject, isFit, detail }) => `${isFit ? 'ok' : 'NOT OK'} ${subject}: ${detail}`,
  );
}

test('key files that only this account can read are fit, and one that the start makes is no fault', () => {
  expect(findings({})).toEqual([
    `ok key file KEK_FILE: ${sealing}, readable by this account alone`,
    `ok key file IBKR_SIGNATURE_KEY_FILE: ${signature}, readable by this account alone`,
  ]);
  expect(findings({ KEK_FILE: '/nowhere/key' })[0]).toBe(
    'ok key file KEK_FILE: /nowhere/key is made at the first start',
  );
});

const UNFIT: readonly (readonly [setting: string, file: () => string, said: string])[] = [
  [
    'KEK_FILE',
    () => keyFile('open', randomBytes(32).toString('base64'), 0o644),
    'open to other accounts (644): chmod 600',
  ],
  ['KEK_FILE', () => keyFile('zeros', Buffer.alloc(32).toString('base64')), 'does not hold a random key'],
  ['KEK_FILE', () => keyFile('short', randomBytes(16).toString('base64')), 'does not hold a key of 32 bytes'],
  [
    'IBKR_SIGNATURE_KEY_FILE',
    () => '/nowhere/signature.pem',
    'cannot be read (ENOENT): set IBKR_SIGNATURE_KEY_FILE',
  ],
  ['IBKR_SIGNATURE_KEY_FILE', () => keyFile('words.pem', 'words'), 'holds no private key in PEM form'],
  ['IBKR_ENCRYPTION_KEY_FILE', () => keyFile('weak.pem', pem(1_024)), 'holds a key of 1024 bits'],
];

test.each(UNFIT)('%s is named when %s', (setting, file, said) => {
  const found = findings({ [setting]: file() }).find((line) => line.startsWith('NOT OK'));
  expect(found).toContain(`key file ${setting}`);
  expect(found).toContain(said);
});

test('the mail server is named without its password, and nothing is sent', async () => {
  const server = await mailServer({});
  const found = await checkMail(server.url);
  expect(found).toEqual({
    subject: 'mail',
    isFit: true,
    detail: `127.0.0.1:${server.port} lets us in; nothing was sent`,
  });
  expect(server.received).toEqual([]);
  server.close();
  const gone = await checkMail(`smtp://someone:hidden@127.0.0.1:${server.port}`);
  expect(gone).toMatchObject({ isFit: false, detail: expect.stringContaining('check MAIL_URL') });
  expect(gone.detail).not.toContain('hidden');
});

test('a database is described, and one that does not answer is named by its setting', async () => {
  expect(await checkDatabase(records.url)).toMatchObject({
    isFit: true,
    hasTables: true,
    detail: expect.stringMatching(/^PostgreSQL \d+, schema \d{4}-[\w-]+, owned by \w+, used as \w+$/),
  });
  expect(await checkSessions(records, [{ vendor: 'alpaca', prefix: 'ALPACA' }])).toEqual([
    { subject: 'session at alpaca', isFit: true, detail: 'no account is connected yet' },
  ]);
  await records.owner.query(`update kysely_migration set name = '0099-later' where name = '0001-schema'`);
  expect(await checkDatabase(records.url)).toMatchObject({
    isFit: false,
    hasTables: false,
    detail: 'schema 0099-later is of another version: name another database in DATABASE_URL',
  });
  expect(await checkDatabase('postgres://nobody@127.0.0.1:1/none')).toMatchObject({
    isFit: false,
    detail: expect.stringContaining('check DATABASE_URL'),
  });
  expect(await checkDatabase(null)).toMatchObject({ isFit: true, hasTables: false });
});
