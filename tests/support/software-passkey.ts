// A device that keeps one passkey, in software: what a browser and its authenticator answer to our options, byte for byte.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { TestApp } from './test-app.ts';
import { signedInPerson, type TestPerson } from './test-person.ts';

type Options = { readonly challenge: string };

export type SoftwarePasskey = ReturnType<typeof softwarePasskey>;

/** `counts` is how often it says that it was used; a device that does not count says 0. */
export function softwarePasskey(origin: string, counts: 'uses' | 'nothing' = 'uses') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let uses = 0;

  const authData = (counter: number, flags: number) =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), uint32(counter)]);
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const answer = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });

  return {
    id,
    register({ challenge }: Options, from = origin) {
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const data = Buffer.concat([
        authData(0, USER_PRESENT | HAS_KEY),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from('a363', 'hex'),
        Buffer.from('fmt'),
        Buffer.from('64', 'hex'),
        Buffer.from('none'),
        Buffer.from('67', 'hex'),
        Buffer.from('attStmt'),
        Buffer.from('a068', 'hex'),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, from).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** `counter` where the device says another than it should. */
    prove({ challenge }: Options, { from = origin, counter }: { from?: string; counter?: number } = {}) {
      uses += 1;
      const data = authData(counter ?? (counts === 'uses' ? uses : 0), USER_PRESENT);
      const said = clientData('webauthn.get', challenge, from);
      return answer({
        clientDataJSON: said.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(said)]), privateKey).toString('base64url'),
      });
    },
  };
}

const USER_PRESENT = 0x01;
const HAS_KEY = 0x40;

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export type PasskeyPerson = TestPerson & {
  readonly device: SoftwarePasskey;
  readonly passkeyId: string;
  readonly backupCodes: readonly string[];
};

/** A person whose second factor is a passkey. */
export async function passkeyPerson(app: TestApp, person: TestPerson | null = null): Promise<PasskeyPerson> {
  const owner = person ?? (await signedInPerson(app));
  const device = softwarePasskey(app.dependencies.config.publicUrl);
  const { status, body } = await addPasskey(app, owner.token, device);
  if (status !== 201) throw new Error(`the passkey was not added: ${JSON.stringify(body)}`);
  return { ...owner, device, passkeyId: body.passkey.id, backupCodes: body.backup_codes ?? [] };
}

export async function addPasskey(app: TestApp, token: string, device: SoftwarePasskey, name = 'This laptop') {
  const options = (await app.request({ method: 'POST', url: '/api/auth/passkeys/options/', token })).body;
  return app.request({
    method: 'POST',
    url: '/api/auth/passkeys/',
    token,
    body: { name, credential: device.register(options) },
  });
}

/** What the device answers to a challenge of this session. */
export async function proofInSession(
  app: TestApp,
  { token, device }: Pick<PasskeyPerson, 'token' | 'device'>,
) {
  return device.prove(
    (await app.request({ method: 'POST', url: '/api/auth/passkeys/challenge/', token })).body,
  );
}
