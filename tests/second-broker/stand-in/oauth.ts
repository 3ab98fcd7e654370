// OAuth 1.0a as the vendor's guide has it: signatures of the three token requests and of every other call, the exchange of
// keys for the day, and the pages on which a person gives permission.
import {
  constants,
  createDiffieHellman,
  createHmac,
  createPublicKey,
  createVerify,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';

export type Consumer = {
  readonly key: string;
  readonly realm: string;
  readonly signatureKeyPem: string;
  readonly encryptionKeyPem: string;
  readonly primeHex: string;
};

export type SignedCall = {
  readonly method: string;
  /** Scheme, host and path. */
  readonly address: string;
  readonly query: URLSearchParams;
  readonly header: string;
};

export type Grant = {
  readonly token: string;
  readonly user: string;
  readonly secret: Buffer;
  /** The day's key; null before the first exchange and after it ended. */
  dayKey: Buffer | null;
  /** Keys that a newer one has replaced. */
  readonly superseded: Buffer[];
  exchanges: number;
};

type Failure = { readonly status: 401 | 410; readonly why: string };

export class Permissions {
  readonly #consumer: Consumer;
  readonly #wallNow: () => number;
  readonly #signatureKey: KeyObject;
  readonly #encryptionKey: KeyObject;
  readonly #nonces = new Set<string>();
  /** Request tokens: null while nobody has decided. */
  readonly #requests = new Map<string, { verifier: string; user: string } | null>();
  readonly grants: Grant[] = [];

  constructor(consumer: Consumer, wallNow: () => number) {
    this.#consumer = consumer;
    this.#wallNow = wallNow;
    this.#signatureKey = createPublicKey(consumer.signatureKeyPem);
    this.#encryptionKey = createPublicKey(consumer.encryptionKeyPem);
  }

  newRequestToken(call: SignedCall): string | Failure {
    const fields = this.#byConsumer(call, '');
    if (isFailure(fields)) return fields;
    const token = randomBytes(10).toString('hex');
    this.#requests.set(token, null);
    return token;
  }

  isPending(requestToken: string): boolean {
    return this.#requests.get(requestToken) === null;
  }

  approve(requestToken: string, user: string): string {
    const verifier = randomBytes(10).toString('hex');
    this.#requests.set(requestToken, { verifier, user });
    return verifier;
  }

  exchangeVerifier(call: SignedCall): { token: string; secretBase64: string } | Failure {
    const fields = this.#byConsumer(call, '');
    if (isFailure(fields)) return fields;
    const decided = this.#requests.get(fields.oauth_token ?? '');
    if (!decided || decided.verifier !== fields.oauth_verifier) return refused('invalid verifier');
    this.#requests.delete(fields.oauth_token ?? '');
    const secret = randomBytes(32);
    const token = randomBytes(10).toString('hex');
    this.grants.push({ token, user: decided.user, secret, dayKey: null, superseded: [], exchanges: 0 });
    const sealed = publicEncrypt({ key: this.#encryptionKey, padding: constants.RSA_PKCS1_PADDING }, secret);
    return { token, secretBase64: sealed.toString('base64') };
  }

  exchangeDayKey(call: SignedCall): { responseHex: string; signatureHex: string } | Failure {
    const grant = this.grants.find(({ token }) => token === fieldsOf(call.header).oauth_token);
    if (grant === undefined) return refused('invalid access token');
    const fields = this.#byConsumer(call, grant.secret.toString('hex'));
    if (isFailure(fields)) return fields;
    const theirs = fields.diffie_hellman_challenge ?? '';
    const ours = createDiffieHellman(Buffer.from(this.#consumer.primeHex, 'hex'), 2);
    ours.generateKeys();
    const agreed = ours.computeSecret(
      Buffer.from(theirs.padStart(theirs.length + (theirs.length % 2), '0'), 'hex'),
    );
    if (grant.dayKey !== null) grant.superseded.push(grant.dayKey);
    grant.dayKey = createHmac('sha1', javaBytes(agreed)).update(grant.secret).digest();
    grant.exchanges += 1;
    return {
      // Without leading zeros, so that some have an odd number of digits.
      responseHex: ours.getPublicKey('hex').replace(/^0+/, ''),
      signatureHex: createHmac('sha1', grant.dayKey).update(this.#consumer.key).digest('hex'),
    };
  }

  /** Who signed a call with the day's key. */
  signer(call: SignedCall): Grant | Failure {
    const fields = this.#fields(call);
    if (isFailure(fields)) return fields;
    const grant = this.grants.find(({ token }) => token === fields.oauth_token);
    if (grant === undefined || fields.oauth_signature_method !== 'HMAC-SHA256')
      return refused('invalid access token');
    const isSignedBy = (key: Buffer) =>
      createHmac('sha256', key).update(baseString(call, fields)).digest('base64') === fields.signature;
    if (grant.dayKey !== null && isSignedBy(grant.dayKey)) return grant;
    if (grant.superseded.some(isSignedBy)) return { status: 410, why: 'gone' };
    return refused(grant.dayKey === null ? 'Access token expired' : 'invalid signature');
  }

  #byConsumer(call: SignedCall, prepend: string): Fields | Failure {
    const fields = this.#fields(call);
    if (isFailure(fields)) return fields;
    if (fields.oauth_signature_method !== 'RSA-SHA256') return refused('invalid signature method');
    const isTrue = createVerify('RSA-SHA256')
      .update(prepend + baseString(call, fields))
      .verify(this.#signatureKey, fields.signature ?? '', 'base64');
    return isTrue ? fields : refused('invalid signature');
  }

  /** The fields of the header, once its consumer, realm, time and nonce are right. */
  #fields(call: SignedCall): Fields | Failure {
    const fields = fieldsOf(call.header);
    if (fields.oauth_consumer_key !== this.#consumer.key)
      return refused('id: 39687, error: invalid consumer');
    if (fields.realm !== this.#consumer.realm) return refused('invalid realm');
    if (Math.abs(this.#wallNow() / 1_000 - Number(fields.oauth_timestamp)) > 300)
      return refused('invalid timestamp');
    const nonce = `${fields.oauth_token} ${fields.oauth_nonce}`;
    if (fields.oauth_nonce === undefined || this.#nonces.has(nonce)) return refused('nonce already used');
    this.#nonces.add(nonce);
    return fields;
  }
}

/** Of the header: each name once, and the signature decoded under `signature`. */
type Fields = Readonly<Record<string, string>>;

function fieldsOf(header: string): Fields {
  const pairs = header
    .replace(/^OAuth\s+/, '')
    .split(/,\s*/)
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 2, -1)] as const);
  const fields = Object.fromEntries(pairs);
  return { ...fields, signature: decodeURIComponent(fields.oauth_signature ?? '') };
}

/** Raw values, joined and encoded once; neither realm nor signature belong to it. A JSON body does not either. */
export function baseString({ method, address, query }: SignedCall, fields: Fields): string {
  const names = Object.keys(fields).filter((name) => /^oauth_(?!signature$)|^diffie_/.test(name));
  const pairs = [...names.map((name) => [name, fields[name] ?? ''] as const), ...query.entries()];
  pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const list = pairs.map((pair) => pair.join('=')).join('&');
  return `${method}&${formEncode(address)}&${formEncode(list)}`;
}

/** As quote_plus of Python: a space is +, a tilde stays. */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1).replaceAll('*', '%2A').replaceAll('%7E', '~');
}

/** As BigInteger.toByteArray of Java: no leading zeros, but one where the top bit is set. */
export function javaBytes(magnitude: Buffer): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = magnitude.subarray(Math.max(0, first));
  return (digits[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.alloc(1), digits]) : digits;
}

function isFailure(found: Fields | Failure): found is Failure {
  return 'why' in found;
}

function refused(why: string): Failure {
  return { status: 401, why };
}
