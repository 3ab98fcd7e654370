import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { knownKeys } from './known-keys.ts';

const { database } = await testDatabase();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A machine's data folder. */
function machine() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-keys-'));
  folders.push(dataDir);
  return {
    dataDir,
    keyEncryptionKeyFile: path.join(dataDir, 'keys', 'key-encryption-key'),
    keyService: null,
  };
}

test('a second machine is refused while a key is missing, and makes none in its place', async () => {
  const first = machine();
  const keys = knownKeys(first, database);
  const ring = await keys.keyring();
  await Promise.all([keys.agreementSeal(), keys.anchorKeys()]);

  const second = machine();
  const others = knownKeys(second, database);
  await expect(others.keyring()).rejects.toThrow(
    /^The key [0-9a-f]{16} \(\w+\) of this database is wrapped by the key [0-9a-f]{16}, and KEK_FILE is not that key: .*key-encryption-key is missing\. Copy the file/,
  );
  await expect(others.agreementSeal()).rejects.toThrow(
    /agreement-seal\.pem is missing, .* [0-9a-f]{16}\. Copy/,
  );
  await expect(others.anchorKeys()).rejects.toThrow(/anchor-key\.pem is missing, .* [0-9a-f]{16}\. Copy/);
  expect(existsSync(path.join(second.dataDir, 'keys'))).toBe(false);

  cpSync(path.join(first.dataDir, 'keys'), path.join(second.dataDir, 'keys'), { recursive: true });
  expect((await others.keyring()).newest('sealing')).toEqual(ring.newest('sealing'));
  expect((await others.agreementSeal()).fingerprint).toBe((await keys.agreementSeal()).fingerprint);
  expect((await others.anchorKeys()).current.id).toBe((await keys.anchorKeys()).current.id);
});

test('a machine with keys of its own is refused, and the sentence names both keys', async () => {
  const elsewhere = machine();
  const own = await testDatabase();
  const theirs = knownKeys(elsewhere, own.database);
  await Promise.all([theirs.keyring(), theirs.anchorKeys()]);
  const ours = knownKeys(elsewhere, database);
  await expect(ours.keyring()).rejects.toThrow(
    /is wrapped by the key [0-9a-f]{16}, and KEK_FILE is not that key: .* holds the key [0-9a-f]{16}\./,
  );
  await expect(ours.anchorKeys()).rejects.toThrow(
    /anchor-key\.pem holds [0-9a-f]{16}, and is not the anchor key .* written with, [0-9a-f]{16}\. Copy/,
  );
});

test('a spoilt key file is refused by what is wrong with it', async () => {
  const spoilt = machine();
  const own = await testDatabase();
  await knownKeys(spoilt, own.database).keyring();
  for (const [text, said] of [
    ['', 'is empty'],
    ['c2hvcnQ=\n', 'does not hold a key of 32 bytes in base64'],
    [`${Buffer.alloc(32).toString('base64')}\n`, 'does not hold a random key'],
  ] as const) {
    writeFileSync(spoilt.keyEncryptionKeyFile, text);
    await expect(knownKeys(spoilt, own.database).keyring()).rejects.toThrow(said);
  }
});

test('what the database keeps says nothing of a key', async () => {
  const { pool, database: fresh } = await testDatabase();
  const here = machine();
  const ring = await knownKeys(here, fresh).keyring();
  const { rows } = await pool.query('select *, encode(wrapped, $1) as wrapped_hex from keyring', ['hex']);
  expect(rows).toHaveLength(5);
  const kept = JSON.stringify(rows);
  const root = Buffer.from(readFileSync(here.keyEncryptionKeyFile, 'utf8').trim(), 'base64');
  for (const key of [root, ...rows.map(({ kind }) => Buffer.from(ring.newest(kind).bytes))])
    for (const form of [key.toString('hex'), key.toString('base64')]) expect(kept).not.toContain(form);
});

test('two processes that start together have the same keys', async () => {
  const { database: fresh } = await testDatabase();
  const here = machine();
  const rings = await Promise.all([1, 2, 3].map(() => knownKeys(here, fresh).keyring()));
  expect(new Set(rings.map((ring) => ring.newest('access_token').id)).size).toBe(1);
});
