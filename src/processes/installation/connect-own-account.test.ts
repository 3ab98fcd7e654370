import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import { verifyPassword } from '#server/identity/password/password-hash.ts';
import { mountAlpaca } from '#sandbox/alpaca/stand-in.ts';
import { testKeyring } from '#tests/support/test-keyring.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { INSTRUMENTS, SATURDAY, fixedPrices } from '../../../tests/broker/fixed-prices.ts';
import { connectOwnAccount } from './connect-own-account.ts';
import { OWNER_EMAIL, ownerPasswordFile } from './owner.ts';

const app = Fastify();
const client = { id: 'unused', secret: 'unused' };
const standIn = mountAlpaca(app, { prices: fixedPrices(), now: () => SATURDAY, client });
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
const { database, pool } = await testDatabase();
const ALPACA = `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
  values (gen_random_uuid(), 'alpaca', 'Alpaca', '', '', '', '{}', 'available', 1)`;
await pool.query(ALPACA);
const folder = mkdtempSync(path.join(tmpdir(), 'owner-'));
const passwordFile = ownerPasswordFile(folder);
const keys = await testKeyring(database);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const mine = standIn.signIn.openWithKey();
const connect = (
  { keyId, secretKey }: { keyId: string; secretKey: string } = mine,
  { takesRealMoney = false, to = database, sealedWith = keys } = {},
) => {
  const findInstrument = (symbol: string) => INSTRUMENTS.find((known) => known.symbol === symbol) ?? null;
  const broker = alpaca({ baseUrl, access: { kind: 'keys', keyId, secretKey }, findInstrument });
  return connectOwnAccount({ database: to, broker, keys: sealedWith, passwordFile, takesRealMoney });
};
const rows = async (query: string) => (await pool.query(query)).rows;

test('wrong keys are named, with the way out, and leave nothing behind', async () => {
  await expect(connect({ ...mine, secretKey: 'a guess' })).rejects.toThrow(
    'Alpaca does not accept APCA_API_KEY_ID with APCA_API_SECRET_KEY for a paper account.',
  );
  expect(existsSync(passwordFile)).toBe(false);
  expect(await rows('select email from users')).toEqual([]);
});

test('the owner gets a sign-in and their paper account, once, however often the product starts', async () => {
  expect(await connect()).toBe(mine.account.number);
  const password = readFileSync(passwordFile, 'utf8').trim();
  expect(statSync(passwordFile).mode & 0o077).toBe(0);
  expect(await connect()).toBe(mine.account.number);
  expect(readFileSync(passwordFile, 'utf8').trim()).toBe(password);
  const people = await rows('select email, password_hash, role from users');
  expect(people).toMatchObject([{ email: OWNER_EMAIL, role: 'investor' }]);
  expect(await verifyPassword(password, people[0].password_hash)).toBe(true);
  expect(
    await rows('select account_id, status, is_paper, is_primary, linked_by from broker_connections'),
  ).toEqual([
    {
      account_id: mine.account.number,
      status: 'active',
      is_paper: true,
      is_primary: true,
      linked_by: 'start',
    },
  ]);
});

test('keys of another account are refused: the deployments of the first must not reach it', async () => {
  const other = standIn.signIn.openWithKey();
  await expect(connect(other)).rejects.toThrow(
    `the keys are of account ${other.account.number}, and this data folder trades account ${mine.account.number}.`,
  );
  expect(await rows('select account_id from broker_connections')).toEqual([
    { account_id: mine.account.number },
  ]);
});

test('real money is traded only by the word that says so, and paper money never under it', async () => {
  const real = standIn.signIn.openWithKey('real');
  await expect(connect(real)).rejects.toThrow(
    `account ${real.account.number} holds real money. Use the keys of its paper account; or set REAL_MONEY=yes`,
  );
  await expect(connect(mine, { takesRealMoney: true })).rejects.toThrow(
    `account ${mine.account.number} is a paper account, and REAL_MONEY is yes: remove it`,
  );
  const fresh = await testDatabase();
  await fresh.pool.query(ALPACA);
  const there = { to: fresh.database, sealedWith: await testKeyring(fresh.database) };
  expect(await connect(real, { takesRealMoney: true, ...there })).toBe(real.account.number);
  const { rows: linked } = await fresh.pool.query('select account_id, is_paper from broker_connections');
  expect(linked).toEqual([{ account_id: real.account.number, is_paper: false }]);
});
