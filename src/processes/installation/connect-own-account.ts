// For someone who starts the product with the keys of their own account: their sign-in, and their account connected. Each
// step is safe to repeat: an interrupted start continues with the next.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { accountNumber } from '#units/account-of-vendor.ts';
import type { Broker } from '#ports/broker.ts';
import { findBroker } from '#records/brokerage/brokers.ts';
import { linkAccount, linkedElsewhere } from '#records/brokerage/linked-accounts.ts';
import { credentialsPurpose, type SealingTerms, sealSecret } from '#records/keys/sealed-secret.ts';
import { markVerified } from '#records/identity/email-verification.ts';
import { createUser, findRole } from '#records/identity/users.ts';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { hashPassword } from '#server/identity/password/password-hash.ts';
import type { BrokerAccountId, BrokerConnectionId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { OWNER_EMAIL } from './owner.ts';

const PASSWORD_BYTES = 12;

type OwnAccountTools = {
  readonly database: Database;
  readonly broker: Broker;
  readonly keys: SealingTerms['keys'];
  readonly passwordFile: string;
  /** REAL_MONEY: the account must be one of real money; without it, a paper account. */
  readonly takesRealMoney: boolean;
};

/** Returns the account. Throws an Error that says what is wrong and how to go on. */
export async function connectOwnAccount(tools: OwnAccountTools): Promise<BrokerAccountId> {
  const { database, broker } = tools;
  const accountId = await askAccount(tools);
  const number = accountNumber(accountId);
  const record = await findBroker(database, broker.vendor);
  if (record === undefined) throw new Error(`there is no broker ${broker.vendor} in the catalogue`);
  const owner = await makeOwner(tools);
  await database.transaction().execute(async (trx) => {
    await actAs(trx, 'owner:start');
    const other = await linkedElsewhere(trx, { userId: owner, brokerId: record.id, accountId });
    if (other !== null)
      throw new Error(
        `the keys are of account ${number}, and this data folder trades account ${accountNumber(other)}. ` +
          `Start with the keys of ${accountNumber(other)}, or with another folder: DATA_DIR=data-${number} npm start`,
      );
    await linkAccount(trx, {
      id: randomUUID() as BrokerConnectionId,
      userId: owner,
      brokerId: record.id,
      accountId,
      // The keys stay in the environment: the connection contains no secret.
      seal: (id) =>
        sealSecret('{}', {
          keys: tools.keys,
          purpose: credentialsPurpose({ id, vendor: broker.vendor }),
        }),
      by: 'start',
      isPaper: !tools.takesRealMoney,
      at: instant(Date.now()),
    });
  });
  return accountId;
}

async function askAccount({
  broker,
  takesRealMoney,
}: Pick<OwnAccountTools, 'broker' | 'takesRealMoney'>): Promise<BrokerAccountId> {
  const session = await broker.openSession({});
  if (session.outcome === 'failed' && session.code === 'unauthorized')
    throw new Error(
      takesRealMoney
        ? 'Alpaca does not accept APCA_API_KEY_ID with APCA_API_SECRET_KEY for an account of real money, which REAL_MONEY asks for. ' +
            'Create its keys at https://app.alpaca.markets, or remove REAL_MONEY to trade a paper account.'
        : 'Alpaca does not accept APCA_API_KEY_ID with APCA_API_SECRET_KEY for a paper account. ' +
            'A paper account has keys of its own: sign in at https://app.alpaca.markets, choose the paper account, and create them there.',
    );
  if (session.outcome === 'failed') throw new Error(`the broker does not answer: ${session.reason}`);
  const accounts = await session.value.accounts();
  await session.value.close();
  const account = accounts.outcome === 'ok' ? accounts.value[0] : undefined;
  if (account === undefined) throw new Error('the broker does not say whose keys these are');
  if (account.isPaper === true && takesRealMoney)
    throw new Error(
      `account ${accountNumber(account.accountId)} is a paper account, and REAL_MONEY is yes: remove it, or use the keys of the account of real money`,
    );
  if (account.isPaper !== true && !takesRealMoney)
    throw new Error(
      `account ${accountNumber(account.accountId)} holds real money. Use the keys of its paper account; or set REAL_MONEY=yes, if strategies are to trade real money`,
    );
  if (account.currency !== 'USD')
    throw new Error(
      `account ${accountNumber(account.accountId)} is kept in ${account.currency}; it must be in USD`,
    );
  return account.accountId;
}

/** The password is on disk before the account exists, so that no crash leaves an account that nobody can enter. */
async function makeOwner({ database, passwordFile }: OwnAccountTools): Promise<UserId> {
  const known = await findRole(database, OWNER_EMAIL);
  if (known !== undefined) return known.id;
  mkdirSync(path.dirname(passwordFile), { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, { mode: 0o600 });
  const made = await createUser(database, {
    email: OWNER_EMAIL,
    passwordHash: await hashPassword(readFileSync(passwordFile, 'utf8').trim()),
    firstName: 'Owner',
    lastName: '',
  });
  if (made === null) throw new Error(`the sign-in ${OWNER_EMAIL} is being made by another start`);
  await markVerified(database, made, instant(Date.now()));
  return made;
}
