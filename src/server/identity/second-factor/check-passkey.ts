import {
  generateAuthenticationOptions,
  type AuthenticatorTransportFuture,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { PasskeyProof } from '#contract/passkeys.ts';
import {
  CHALLENGE_MS,
  type ChallengeFor,
  createChallenge,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
  spendChallenge,
} from '#records/identity/passkeys.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { refuse } from '../../http/refusal.ts';
import { relyingParty } from './relying-party.ts';

/** What a browser needs to ask for one of the person's passkeys; null when there is none. */
export async function challengeOf(
  wanted: ChallengeFor,
  dependencies: Dependencies,
): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const { records, now } = dependencies;
  const passkeys = await listPasskeys(records.database, wanted.userId);
  if (passkeys.length === 0) return null;
  return generateAuthenticationOptions({
    rpID: relyingParty(dependencies).id,
    challenge: bytesOf(await createChallenge(records.database, wanted, now())),
    timeout: CHALLENGE_MS,
    allowCredentials: passkeys.map(asDescriptor),
    userVerification: 'preferred',
  });
}

export function asDescriptor({ credentialId, transports }: Passkey) {
  return { id: credentialId, transports: transports as AuthenticatorTransportFuture[] };
}

export const WRONG_PASSKEY = refuse(
  'wrong_passkey',
  'This passkey was not accepted: the question was answered too late or twice, or it is no passkey of this account. Please try again, or use a code.',
);

/** 'copied': its counter has not risen since the last use. The challenge is spent, whatever comes of it. */
export async function spendPasskey(
  wanted: ChallengeFor,
  proof: PasskeyProof,
  dependencies: Dependencies,
): Promise<'right' | 'wrong' | 'copied'> {
  const { records, now } = dependencies;
  const { database } = records;
  const challenge = challengeIn(proof.response.clientDataJSON);
  if (challenge === null || !(await spendChallenge(database, { challenge, wanted, at: now() })))
    return 'wrong';
  const passkey = (await listPasskeys(database, wanted.userId)).find((one) => one.credentialId === proof.id);
  if (passkey === undefined) return 'wrong';
  const counter = await verifiedCounter({ passkey, proof, challenge }, dependencies);
  if (counter === null) return 'wrong';
  return (await notePasskeyUse(database, { id: passkey.id, counter, at: now() })) ? 'right' : 'copied';
}

type Answered = { readonly passkey: Passkey; readonly proof: PasskeyProof; readonly challenge: Buffer };

/** Null unless the passkey signed this challenge for us. Whether the counter rises is decided where it is saved. */
async function verifiedCounter(
  { passkey, proof, challenge }: Answered,
  dependencies: Dependencies,
): Promise<number | null> {
  const { id, origin } = relyingParty(dependencies);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...proof, response: asSent(proof.response) },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // It only computes: each of its errors says what is wrong with the proof.
    return null;
  }
}

function asSent({ userHandle, ...response }: PasskeyProof['response']) {
  return userHandle === undefined ? response : { ...response, userHandle };
}

/** The challenge that a browser says it answers; null where it says none. */
export function challengeIn(clientDataJSON: string): Buffer | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const challenge = (said as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url') : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The library takes plain arrays over a buffer of their own. */
function bytesOf(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}
