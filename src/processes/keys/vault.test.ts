// The keyring under Vault's transit engine, against a stand-in that speaks its protocol.
import Fastify from 'fastify';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { vault, type VaultSettings } from '#adapters/key-management/vault/vault.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import { openSecret, sealSecret } from '#records/keys/sealed-secret.ts';
import { mountVault } from '#sandbox/vault/stand-in.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { readKeyService } from '../environment/key-settings.ts';
import { runKeysCommand } from './keys-command.ts';

const app = Fastify();
const standIn = mountVault(app, { mount: 'transit', keyName: 'bellwether' });
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const { database, pool } = await testDatabase();
const settings = (more: Partial<VaultSettings> = {}): VaultSettings => ({
  url,
  token: () => standIn.token,
  mount: 'transit',
  keyName: 'bellwether',
  ...more,
});
const management = vault(settings());
const open = (more: Partial<VaultSettings> = {}) =>
  openKeyring({ database, management: vault(settings(more)) });
afterAll(() => app.close());
beforeEach(() => {
  standIn.isSealed = false;
});

test('the root key stays at Vault, which is asked once for each key and not for each secret', async () => {
  const keys = await open();
  expect(standIn.counts).toMatchObject({ encrypt: 5 });
  const { decrypt } = standIn.counts;
  const sealed = sealSecret('hush', { keys, purpose: 'a row' });
  for (let i = 0; i < 5; i++) expect(await openSecret(sealed, { keys, purpose: 'a row' })).toBe('hush');
  await keys.reload();
  expect(standIn.counts.decrypt).toBe(decrypt);
  const again = await open();
  expect(await openSecret(sealed, { keys: again, purpose: 'a row' })).toBe('hush');
  expect(standIn.counts.decrypt).toBe(decrypt + 5);
});

test('a wrapped key opens in its own row alone', async () => {
  await open();
  const other = await testDatabase();
  await openKeyring({ database: other.database, management });
  const { rows } = await pool.query(`select wrapped from keyring where kind = 'sealing'`);
  await other.pool.query(`update keyring set wrapped = $1 where kind = 'sealing'`, [rows[0].wrapped]);
  await expect(openKeyring({ database: other.database, management })).rejects.toThrow(
    /^The key [0-9a-f]{16} \(sealing\) of this database is wrapped by the key vault bellwether v1, and the service of VAULT_ADDR does not unwrap it \(status 400: cipher: message authentication failed\)/,
  );
});

test('another version wraps the keys anew, and the former one may be switched off at Vault', async () => {
  await open();
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  await runKeysCommand('rotate-root', {
    database,
    otherWorlds: [],
    dataDir: '/nowhere',
    management,
    say,
    wait: async () => undefined,
  });
  expect(lines).toEqual([
    'The root key is vault bellwether v2 from now on. Every key of this database is wrapped by it.',
  ]);
  standIn.minDecryptionVersion = 2;
  await expect(open()).resolves.toBeDefined();
});

test('a start is refused with the setting, the key and what Vault says: sealed, a wrong token, a wrong key, no answer', async () => {
  await open();
  const named =
    /^The key [0-9a-f]{16} \(\w+\) of this database is wrapped by the key vault bellwether v\d+, and the service of VAULT_ADDR/;
  const refusedWith = async (more: Partial<VaultSettings>, said: string) => {
    const refusal = await open(more).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(named);
    expect(refusal).toContain(said);
  };
  await refusedWith({ token: () => 'hvs.other' }, 'status 403: permission denied');
  await refusedWith({ keyName: 'another' }, 'status 400: encryption key not found');
  await refusedWith({ url: 'http://127.0.0.1:1' }, 'does not unwrap it (fetch failed');
  standIn.isSealed = true;
  await refusedWith({}, 'status 503: Vault is sealed');
});

test('a process that runs goes on while Vault is sealed, and without Vault nothing is made in its place', async () => {
  const keys = await open();
  const sealed = sealSecret('hush', { keys, purpose: 'a row' });
  standIn.isSealed = true;
  await keys.reload();
  expect(await openSecret(sealed, { keys, purpose: 'a row' })).toBe('hush');
  const empty = await testDatabase();
  await expect(openKeyring({ database: empty.database, management })).rejects.toThrow(
    `No key can be made: VAULT_ADDR, ${url}: status 503: Vault is sealed.`,
  );
  expect((await empty.pool.query('select from keyring')).rows).toEqual([]);
});

test('settings of Vault that are missing are named', () => {
  const read = (variables: Record<string, string>) => readKeyService((name) => variables[name] ?? null);
  expect(read({})).toBeNull();
  expect(() => read({ KMS: 'cloud' })).toThrow('KMS must be file or vault');
  expect(() => read({ KMS: 'vault' })).toThrow('KMS=vault needs VAULT_ADDR');
  expect(() => read({ KMS: 'vault', VAULT_ADDR: url })).toThrow('either VAULT_TOKEN or VAULT_TOKEN_FILE');
  const whole = read({ KMS: 'vault', VAULT_ADDR: `${url}/`, VAULT_TOKEN: 'hvs.one' });
  expect(whole).toMatchObject({ url, mount: 'transit', keyName: 'bellwether' });
  expect(whole?.token()).toBe('hvs.one');
});
