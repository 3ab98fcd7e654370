// The registered consumer: the client program that may ask people for permission. A real brokerage registers public
// keys on paper; here both halves are made at the first start and the private ones left for the client to pick up.
import {
  type KeyObject,
  createPublicKey,
  generateKeyPairSync,
  getDiffieHellman,
  randomBytes,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Consumer = {
  readonly key: string;
  readonly realm: string;
  readonly dhPrimeHex: string;
  readonly signatureKey: KeyObject;
  readonly encryptionKey: KeyObject;
};

/** Where the parts lie, for the client: consumer.json, signature-private.pem, encryption-private.pem. */
type ConsumerFiles = {
  readonly json: string;
  readonly signaturePrivatePem: string;
  readonly encryptionPrivatePem: string;
};

export function consumerFiles(folder: string): ConsumerFiles {
  return {
    json: join(folder, 'consumer.json'),
    signaturePrivatePem: join(folder, 'signature-private.pem'),
    encryptionPrivatePem: join(folder, 'encryption-private.pem'),
  };
}

/** What the environment may set instead, so that the brokerage can be started with a consumer made elsewhere. */
type GivenConsumer = {
  readonly IBKR_CONSUMER_KEY?: string;
  readonly IBKR_REALM?: string;
  readonly IBKR_DH_PRIME_HEX?: string;
  readonly IBKR_SIGNATURE_KEY_FILE?: string;
  readonly IBKR_ENCRYPTION_KEY_FILE?: string;
};

export function prepareConsumer(folder: string, given: GivenConsumer = {}): Consumer {
  const files = consumerFiles(folder);
  const isGiven = given.IBKR_SIGNATURE_KEY_FILE && given.IBKR_ENCRYPTION_KEY_FILE;
  if (!isGiven && !existsSync(files.json)) register(folder, files);
  const saved = isGiven ? {} : (JSON.parse(readFileSync(files.json, 'utf8')) as Record<string, unknown>);
  const setting = (name: string, ...values: readonly unknown[]) => {
    for (const value of values) if (typeof value === 'string' && value !== '') return value;
    throw new Error(
      `the sandbox brokerage lacks its consumer's ${name}: set it, or remove ${folder} to register again`,
    );
  };
  return {
    key: setting('key (IBKR_CONSUMER_KEY)', isGiven && given.IBKR_CONSUMER_KEY, saved.consumer_key),
    realm: setting('realm (IBKR_REALM)', isGiven && given.IBKR_REALM, saved.realm, 'limited_poa'),
    dhPrimeHex: setting('prime (IBKR_DH_PRIME_HEX)', isGiven && given.IBKR_DH_PRIME_HEX, saved.dh_prime_hex),
    signatureKey: publicKey((isGiven && given.IBKR_SIGNATURE_KEY_FILE) || files.signaturePrivatePem),
    encryptionKey: publicKey((isGiven && given.IBKR_ENCRYPTION_KEY_FILE) || files.encryptionPrivatePem),
  };
}

function register(folder: string, files: ConsumerFiles): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of [files.signaturePrivatePem, files.encryptionPrivatePem]) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const consumer = {
    consumer_key: `SBX${randomBytes(3).toString('hex').toUpperCase()}`,
    realm: 'limited_poa',
    // RFC 3526, group 14: a safe prime of 2048 bits with generator 2.
    dh_prime_hex: getDiffieHellman('modp14').getPrime('hex'),
  };
  // Written last: its presence means that the registration is complete.
  writeFileSync(files.json, `${JSON.stringify(consumer, null, 2)}\n`, { mode: 0o600 });
}

function publicKey(privatePemFile: string): KeyObject {
  return createPublicKey(readFileSync(privatePemFile, 'utf8'));
}
