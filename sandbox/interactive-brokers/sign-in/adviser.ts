// The adviser at the practice brokerage: one registered program that signs its requests with its own key and acts for
// all accounts. A real brokerage is given the public key; here both halves are made at the first start.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader, jwtVerify } from 'jose';

export type Adviser = {
  readonly clientId: string;
  readonly keyId: string;
  /** The user name of its trading session. */
  readonly credential: string;
  readonly publicKey: KeyObject;
};

/** Where the client finds its half: adviser.json and adviser-private.pem. */
export function adviserFiles(folder: string): { readonly json: string; readonly privatePem: string } {
  return { json: join(folder, 'adviser.json'), privatePem: join(folder, 'adviser-private.pem') };
}

export function prepareAdviser(folder: string): Adviser {
  const files = adviserFiles(folder);
  if (!existsSync(files.json)) register(folder);
  const saved = JSON.parse(readFileSync(files.json, 'utf8')) as Record<string, string>;
  const { client_id: clientId = '', key_id: keyId = '', credential = '' } = saved;
  const publicKey = createPublicKey(createPrivateKey(readFileSync(files.privatePem, 'utf8')));
  return { clientId, keyId, credential, publicKey };
}

function register(folder: string): void {
  const files = adviserFiles(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(files.privatePem, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const adviser = {
    client_id: `SBX-ADVISER-${randomBytes(3).toString('hex').toUpperCase()}`,
    key_id: 'main',
    // No person can have it: their names are in small letters.
    credential: 'ADVISER',
  };
  // Written last: its presence means that the registration is complete.
  writeFileSync(files.json, `${JSON.stringify(adviser, null, 2)}\n`, { mode: 0o600 });
}

export type AdviserAccess = {
  /** A token for a signed assertion, or why not. */
  token(assertion: string): Promise<{ readonly token: string } | string>;
  /** A session for a signed request that comes with such a token, or why not. */
  session(bearer: string, request: string, ip: string): Promise<{ readonly token: string } | string>;
  /** Whether a session's token is valid for a sender at this address. */
  isSession(token: string, ip: string): boolean;
};

export function createAdviserAccess(adviser: Adviser, realNow: () => number): AdviserAccess {
  const tokens = new Map<string, number>();
  const sessions = new Map<string, { readonly untilMs: number; readonly ip: string }>();

  const claimsOf = async (signed: string, audience?: string) => {
    if (decodeProtectedHeader(signed).kid !== adviser.keyId) throw new Error('unknown key id');
    const { payload } = await jwtVerify(signed, adviser.publicKey, {
      algorithms: ['RS256'],
      issuer: adviser.clientId,
      ...(audience === undefined ? {} : { audience, subject: adviser.clientId }),
      currentDate: new Date(realNow()),
      requiredClaims: ['exp', 'iat'],
    });
    return payload;
  };

  return {
    async token(assertion) {
      try {
        await claimsOf(assertion, '/token');
      } catch (error) {
        return String(error instanceof Error ? error.message : error);
      }
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, realNow() + DAY_REAL_MS);
      return { token };
    },
    async session(bearer, request, ip) {
      if (!(realNow() < (tokens.get(bearer) ?? 0))) return 'Access token expired';
      try {
        const claims = await claimsOf(request);
        if (claims.credential !== adviser.credential) return 'unknown credential';
        if (claims.ip !== ip) return `the request comes from ${ip}, not from ${String(claims.ip)}`;
        const token = randomBytes(24).toString('base64url');
        sessions.set(token, { ip, untilMs: (claims.exp ?? 0) * 1_000 });
        return { token };
      } catch (error) {
        return String(error instanceof Error ? error.message : error);
      }
    },
    isSession(token, ip) {
      const session = sessions.get(token);
      return session !== undefined && session.ip === ip && realNow() < session.untilMs;
    },
  };
}

const DAY_REAL_MS = 86_400_000;
