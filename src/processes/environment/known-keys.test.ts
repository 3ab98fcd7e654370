import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
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
  return { dataDir, keyEncryptionKeyFile: path.join(dataDir, 'keys', 'key-encryption-key') };
}

test('a second machine is refused while a key is missing, and makes none in its place', async () => {
  const first = machine();
  const keys = knownKeys(first, database);
  await Promise.all([keys.sealing(), keys.accessToken(), keys.agreementSeal()]);

  const second = machine();
  const others = knownKeys(second, database);
  await expect(others.sealing()).rejects.toThrow(
    /key-encryption-key is missing, and this database was written with that key encryption key\. Copy the file/,
  );
  await expect(others.accessToken()).rejects.toThrow(/access-token-key is missing/);
  await expect(others.agreementSeal()).rejects.toThrow(/agreement-seal\.pem is missing/);
  expect(existsSync(path.join(second.dataDir, 'keys'))).toBe(false);

  cpSync(path.join(first.dataDir, 'keys'), path.join(second.dataDir, 'keys'), { recursive: true });
  expect(await others.sealing()).toEqual(await keys.sealing());
  expect((await others.agreementSeal()).fingerprint).toBe((await keys.agreementSeal()).fingerprint);
});

test('a machine with keys of its own is refused', async () => {
  const elsewhere = machine();
  const own = await testDatabase();
  await knownKeys(elsewhere, own.database).sealing();
  await expect(knownKeys(elsewhere, database).sealing()).rejects.toThrow(
    /is not the key encryption key that this database was written with/,
  );
});

test('what the database keeps says nothing of a key', async () => {
  const { pool, database: fresh } = await testDatabase();
  const keys = knownKeys(machine(), fresh);
  const key = Buffer.from(await keys.sealing());
  const { rows } = await pool.query<{ check_value: string }>('select check_value from key_checks');
  expect(rows).toHaveLength(1);
  for (const form of [key.toString('hex'), key.toString('base64')])
    expect(form).not.toContain(rows[0]!.check_value);
  await expect(pool.query('delete from key_checks')).rejects.toThrow();
});
