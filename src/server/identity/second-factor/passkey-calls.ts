import { randomUUID } from 'node:crypto';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { identityEndpoints } from '#contract/identity.ts';
import type { Passkey as Shown } from '#contract/passkeys.ts';
import { clearGuesses } from '#records/identity/guess-limits.ts';
import {
  CHALLENGE_MS,
  createChallenge,
  insertPasskey,
  listPasskeys as readPasskeys,
  lockSecondFactors,
  type Passkey,
  removePasskey as dropPasskey,
  renamePasskey,
  spendChallenge,
} from '#records/identity/passkeys.ts';
import { hasSecondFactor, removeBackupCodes, replaceBackupCodes } from '#records/identity/second-factors.ts';
import { endOtherSessions, noteConfirmation } from '#records/identity/sessions.ts';
import { getUser } from '#records/identity/users.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { ParsedBody } from '#contract/http/endpoint.ts';
import type { Call, Caller } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { isRefused, notFound, refuse, type Refused } from '../../http/refusal.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { hashBackupCodes, newBackupCodes } from './backup-codes.ts';
import { asDescriptor, challengeIn, challengeOf, WRONG_PASSKEY } from './check-passkey.ts';
import { relyingParty } from './relying-party.ts';

const PASSKEYS_MAX = 10;
const TOO_MANY = refuse(
  'out_of_range',
  `An account keeps ${PASSKEYS_MAX} passkeys at most. Remove one that you use no more, then add this one.`,
);

export const listPasskeys: Call<typeof identityEndpoints.listPasskeys> = async ({ caller }, { records }) =>
  (await readPasskeys(records.database, caller.userId)).map(show);

export const preparePasskey: Call<typeof identityEndpoints.preparePasskey> = async (
  { caller },
  dependencies,
) => {
  const { records, now } = dependencies;
  const [{ email }, passkeys] = await Promise.all([
    getUser(records.database, caller.userId),
    readPasskeys(records.database, caller.userId),
  ]);
  if (passkeys.length >= PASSKEYS_MAX) return TOO_MANY;
  const challenge = await createChallenge(records.database, { ...caller, purpose: 'add' }, now());
  const options = await generateRegistrationOptions({
    rpName: PRODUCT_NAME,
    rpID: relyingParty(dependencies).id,
    userName: email,
    userID: new Uint8Array(Buffer.from(caller.userId)),
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: passkeys.map(asDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return { ...options };
};

/** Sessions that never saw a second factor end with the first one. */
export const addPasskey: Call<typeof identityEndpoints.addPasskey> = async (
  { caller, body, request },
  dependencies,
) => {
  const { userId, sessionId } = caller;
  const { records, now } = dependencies;
  const made = await verifyNew(body.credential, caller, dependencies);
  if (made === null) return WRONG_PASSKEY;
  const id = randomUUID();
  const outcome = await records.database
    .transaction()
    .execute(async (trx): Promise<string[] | null | Refused> => {
      await lockSecondFactors(trx, userId);
      const isFirst = !(await hasSecondFactor(trx, userId));
      if ((await readPasskeys(trx, userId)).length >= PASSKEYS_MAX) return TOO_MANY;
      if (!(await insertPasskey(trx, { ...made, id, userId, name: body.name, at: now() })))
        return refuse('already_exists', 'This passkey was added before.');
      if (!isFirst) return null;
      const codes = newBackupCodes();
      await replaceBackupCodes(trx, userId, await hashBackupCodes(codes, userId, dependencies));
      await endOtherSessions(trx, { ...caller, at: now() });
      await noteConfirmation(trx, sessionId, now());
      return [...codes];
    });
  if (isRefused(outcome)) return outcome;
  await noteSecurityEvent({ kind: 'passkey_added', userId, request }, dependencies);
  const saved = await findPasskey(id, caller, dependencies);
  return saved === null ? notFound() : { passkey: saved, backup_codes: outcome };
};

export const changePasskey: Call<typeof identityEndpoints.changePasskey> = async (
  { caller, params: { id }, body },
  dependencies,
) => {
  const { database } = dependencies.records;
  if (!(await renamePasskey(database, { id, userId: caller.userId }, body.name))) return notFound();
  return (await findPasskey(id, caller, dependencies)) ?? notFound();
};

export const removePasskey: Call<typeof identityEndpoints.removePasskey> = async (
  { caller: { userId }, params: { id }, request },
  dependencies,
) => {
  const isGone = await dependencies.records.database.transaction().execute(async (trx) => {
    await lockSecondFactors(trx, userId);
    if (!(await dropPasskey(trx, { id, userId }))) return false;
    if (await hasSecondFactor(trx, userId)) return true;
    await removeBackupCodes(trx, userId);
    await clearGuesses(trx, `code:${userId}`);
    return true;
  });
  if (!isGone) return notFound();
  return noteSecurityEvent({ kind: 'passkey_removed', userId, request }, dependencies);
};

export const challengePasskey: Call<typeof identityEndpoints.challengePasskey> = async (
  { caller },
  dependencies,
) => {
  const options = await challengeOf({ ...caller, purpose: 'confirm' }, dependencies);
  return options === null ? notFound() : { ...options };
};

type Credential = ParsedBody<typeof identityEndpoints.addPasskey>['credential'];
type Made = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'>;

/** Null unless a device has just made it for us, for this person, in this session. */
async function verifyNew(
  credential: Credential,
  caller: Caller,
  dependencies: Dependencies,
): Promise<Made | null> {
  const { records, now } = dependencies;
  const challenge = challengeIn(credential.response.clientDataJSON);
  const spent = {
    challenge: challenge ?? Buffer.alloc(0),
    wanted: { ...caller, purpose: 'add' },
    at: now(),
  } as const;
  if (challenge === null || !(await spendChallenge(records.database, spent))) return null;
  const { id, origin } = relyingParty(dependencies);
  const { transports = [], ...response } = credential.response;
  const verified = await verifyRegistrationResponse({
    response: { ...credential, response },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { credential: key, credentialBackedUp: isSynced } = verified.registrationInfo;
  return {
    credentialId: key.id,
    publicKey: Buffer.from(key.publicKey),
    counter: key.counter,
    transports,
    isSynced,
  };
}

async function findPasskey(id: string, { userId }: Caller, { records }: Dependencies): Promise<Shown | null> {
  const found = (await readPasskeys(records.database, userId)).find((one) => one.id === id);
  return found === undefined ? null : show(found);
}

function show({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): Shown {
  return {
    id,
    name,
    is_synced: isSynced,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
