// The keys that an operator registers with the broker: the files that the settings name, and the public halves.
import { generateKeyPairSync, getDiffieHellman } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Consumer } from './stand-in/oauth.ts';

/** The variables of the settings, as documented, and what the broker knows. */
export function registerConsumer(folder: string): {
  readonly consumer: Consumer;
  readonly variables: Readonly<Record<string, string>>;
} {
  const pair = (name: string) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const file = path.join(folder, `${name}.pem`);
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    return { file, publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
  };
  const [signature, encryption] = [pair('signature'), pair('encryption')];
  const primeHex = getDiffieHellman('modp14').getPrime('hex');
  return {
    consumer: {
      key: 'BWLTHR25A',
      realm: 'limited_poa',
      signatureKeyPem: signature.publicPem,
      encryptionKeyPem: encryption.publicPem,
      primeHex,
    },
    variables: {
      IBKR_CONSUMER_KEY: 'BWLTHR25A',
      IBKR_SIGNATURE_KEY_FILE: signature.file,
      IBKR_ENCRYPTION_KEY_FILE: encryption.file,
      IBKR_DH_PRIME_HEX: primeHex,
    },
  };
}
