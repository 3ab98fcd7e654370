import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { credentialsPurpose, openSecret } from '#records/keys/sealed-secret.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import { beginRotation, rewrapSecrets } from '#records/keys/rotate-keys.ts';
import { createApp } from '#server/app.ts';
import { twoFactorPerson } from '#tests/support/second-factor.ts';
import { testApp, type TestApp } from '#tests/support/test-app.ts';
import { testKeyFile } from '#tests/support/test-keyring.ts';
import { connectBroker, PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import { parseKeysCommand, runKeysCommand } from './keys-command.ts';

const { file, management } = testKeyFile();
const app = await testApp({}, undefined, { management });
const { records, request, dependencies } = app;
const { database, pool } = records;

async function run(words: string, wait: () => Promise<void> = overlapPasses) {
  const lines: string[] = [];
  const command = parseKeysCommand(words.split(' '));
  if (command === null) throw new Error(`no command ${words}`);
  const say = (line: string) => void lines.push(line);
  await runKeysCommand(command, { database, otherWorlds: [], dataDir: '/nowhere', management, say, wait });
  return lines;
}

/** As if every replaced key were replaced so long ago that every process has the new one. */
async function overlapPasses(): Promise<void> {
  await pool.query(
    `update keyring set replaced_at = replaced_at - interval '3 minutes' where kind = 'sealing'`,
  );
}

const keysOf = async (kind: string) =>
  (
    await pool.query('select id from keyring where kind = $1 order by replaced_at desc nulls first', [kind])
  ).rows.map(({ id }) => id as string);
const sealedOf = async (id: string): Promise<{ sealed: Buffer; key: string }> =>
  (
    await pool.query(
      'select sealed_credentials as sealed, sealed_with as key from broker_connections where id = $1',
      [id],
    )
  ).rows[0];
const opened = async (id: string, { keys } = dependencies) =>
  openSecret((await sealedOf(id)).sealed, {
    keys,
    purpose: credentialsPurpose({ id, vendor: 'interactive-brokers' }),
  });

test('keys rotate while the product runs: sessions, codes and credentials go on, and everything is under the new key', async () => {
  const { token } = await signedInPerson(app);
  const connection = await connectBroker(app, { token });
  const second = await twoFactorPerson(app);
  const before = await sealedOf(connection);
  const dataKey = (sealed: Buffer) => sealed.subarray(9, 69);
  const secret = (sealed: Buffer) => sealed.subarray(69);

  const lines = await run('rotate');
  const after = await sealedOf(connection);
  expect(lines[0]).toBe('New keys count from now on.');
  expect(after.key).not.toBe(before.key);
  expect(await keysOf('sealing')).toEqual([after.key]);
  expect(dataKey(after.sealed)).not.toEqual(dataKey(before.sealed));
  expect(secret(after.sealed), 'only its data key is wrapped anew').toEqual(secret(before.sealed));

  // The server has not been told: it looks for a key that it does not know.
  expect(await opened(connection)).toBe('{"secret":"hush"}');
  expect((await request({ url: '/api/auth/me/', token })).status, 'a token of the former key').toBe(200);
  await dependencies.keys.reload();
  const signIn = (code: string) =>
    request({
      method: 'POST',
      url: '/api/auth/login/',
      body: { email: second.email, password: PASSWORD, code },
    });
  expect((await signIn(second.backupCodes[0]!)).status, 'a backup code of the former key').toBe(200);
  expect((await signIn(second.nextCode())).status, 'the authenticator').toBe(200);
  expect(await keysOf('backup_code'), 'somebody has codes of the former key').toHaveLength(2);
  const renewed = await signedInPerson(app);
  const kid = JSON.parse(Buffer.from(renewed.token.split('.')[0]!, 'base64url').toString()).kid;
  expect(kid).toBe((await keysOf('access_token'))[0]);
});

test('invented ids of tokens do not hide a new sealing key', async () => {
  const { keys } = await freshDependencies();
  await run('rotate');
  const [sealing] = await keysOf('sealing');
  for (const id of ['one', 'another']) expect(await keys.find('access_token', id)).toBeNull();
  expect((await keys.find('sealing', sealing!))?.id).toBe(sealing);
});

test('an access token of a removed key is refused, and one of an invented key', async () => {
  const { token } = await signedInPerson(app);
  await run('rotate');
  await pool.query(
    `update keyring set replaced_at = replaced_at - interval '16 minutes' where kind = 'access_token'`,
  );
  await run('finish');
  expect(await keysOf('access_token')).toHaveLength(1);
  const other = await createApp(await freshDependencies());
  const headers = { authorization: `Bearer ${token}` };
  expect((await other.inject({ url: '/api/auth/me/', headers })).statusCode).toBe(401);
  await other.close();
});

test('a rotation that dies anywhere goes on with the next run, and old and new key are readable meanwhile', async () => {
  await dependencies.keys.reload();
  const { token } = await signedInPerson(app);
  const connections: string[] = [];
  for (let i = 0; i < 3; i++)
    connections.push(await connectBroker(app, { token: (await signedInPerson(app)).token }));
  connections.push(await connectBroker(app, { token }));

  // Dies after the new keys are made.
  const { keys } = await freshDependencies();
  expect(await beginRotation({ database, management, keys })).toBe('begun');
  for (const id of connections) expect(await opened(id)).toBe('{"secret":"hush"}');

  // Dies at the second secret: the database refuses its update.
  await app.records.owner.query(`create sequence strikes; create function die() returns trigger language plpgsql as $$ begin
      if nextval('strikes') > 1 then raise 'dead'; end if; return new; end $$;
    create trigger dies before update of sealed_credentials on broker_connections for each row execute function die()`);
  await expect(rewrapSecrets({ database, keys })).rejects.toThrow('dead');
  await app.records.owner.query(
    'drop trigger dies on broker_connections; drop function die(); drop sequence strikes',
  );
  for (const id of connections) expect(await opened(id)).toBe('{"secret":"hush"}');

  // Dies while it waits.
  const died = run('rotate', () => Promise.reject(new Error('killed')));
  await expect(died).rejects.toThrow('killed');
  expect(await keysOf('sealing'), 'no third key').toHaveLength(2);

  const lines = await run('rotate');
  expect(lines[0]).toBe('The last rotation has not ended: it goes on.');
  expect(await keysOf('sealing')).toHaveLength(1);
  for (const id of connections) expect(await opened(id)).toBe('{"secret":"hush"}');
  expect(await run('finish'), 'nothing is left to do').toContain('0 secrets are wrapped anew.');
});

test('what a process seals with the former key meanwhile keeps that key, until it too is wrapped anew', async () => {
  await dependencies.keys.reload();
  const { token } = await signedInPerson(app);
  const lines = await run('rotate', async () => {
    // This server still has the former key alone.
    const late = await connectBroker(app, { token });
    expect((await sealedOf(late)).key).not.toBe((await keysOf('sealing'))[0]);
    await overlapPasses();
    await expect(
      pool.query(`delete from keyring where kind = 'sealing' and replaced_at is not null`),
    ).rejects.toThrow(/violates foreign key constraint/);
  });
  expect(lines.join('\n')).not.toContain('sealing');
  const [newest] = await keysOf('sealing');
  const { rows } = await pool.query(
    'select distinct sealed_with from broker_connections where sealed_with is not null',
  );
  expect(rows).toEqual([{ sealed_with: newest }]);
});

test('another root key wraps every key anew, and the former one opens nothing', async () => {
  const old = readFileSync(file, 'utf8');
  const { rows: before } = await pool.query('select id, wrapped_by from keyring order by id');
  const [said] = await run('rotate-root');
  const { rows: after } = await pool.query('select id, wrapped_by from keyring order by id');
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(new Set(after.map(({ wrapped_by: by }) => by)).size).toBe(1);
  expect(after[0].wrapped_by).not.toBe(before[0].wrapped_by);
  expect(said).toContain(after[0].wrapped_by);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).not.toContain(old.trim());
  await expect(openKeyring({ database, management })).resolves.toBeDefined();
});

test('a rotation of the root key that dies before its commit leaves two keys, and both open', async () => {
  await management.rotate();
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  await expect(openKeyring({ database, management: keyFile(file) })).resolves.toBeDefined();
  await run('rotate-root');
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
  await expect(openKeyring({ database, management: keyFile(file) })).resolves.toBeDefined();
});

async function freshDependencies(): Promise<TestApp['dependencies']> {
  return { ...dependencies, keys: await openKeyring({ database, management }) };
}
