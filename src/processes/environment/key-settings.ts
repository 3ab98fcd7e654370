// Where the root key is: in the file of KEK_FILE, or in a service that never gives it away.
import { readFileSync } from 'node:fs';

export type KeyService = {
  /** Without a trailing slash. */
  readonly url: string;
  /** Read before each request: an agent renews what the file holds. */
  readonly token: () => string;
  readonly mount: string;
  readonly keyName: string;
};

/** Null: the key file. */
export function readKeyService(text: (name: string) => string | null): KeyService | null {
  const chosen = text('KMS') ?? 'file';
  if (chosen === 'file') return null;
  if (chosen !== 'vault') throw new Error(`KMS must be file or vault, not "${chosen}"`);
  const url = text('VAULT_ADDR');
  if (url === null || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error('KMS=vault needs VAULT_ADDR, such as https://vault.example.test:8200');
  const [token, file] = [text('VAULT_TOKEN'), text('VAULT_TOKEN_FILE')];
  if ((token === null) === (file === null))
    throw new Error(
      'KMS=vault needs either VAULT_TOKEN or VAULT_TOKEN_FILE, the file that an agent keeps its token in',
    );
  return {
    url: url.replace(/\/+$/, ''),
    token: () => token ?? readFileSync(file!, 'utf8').trim(),
    mount: text('VAULT_TRANSIT_MOUNT') ?? 'transit',
    keyName: text('VAULT_TRANSIT_KEY') ?? 'bellwether',
  };
}
