// How Vault is reached, for keys and for settings.
import { readFileSync } from 'node:fs';

export type VaultAccess = {
  /** Without a trailing slash. */
  readonly url: string;
  /** Read before each request: an agent renews what the file holds. */
  readonly token: () => string;
};

/** `neededBy`: the setting that needs it. Throws an Error that names what is missing. */
export function readVaultAccess(text: (name: string) => string | null, neededBy: string): VaultAccess {
  const url = text('VAULT_ADDR');
  if (url === null || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`${neededBy} needs VAULT_ADDR, such as https://vault.example.test:8200`);
  const [token, file] = [text('VAULT_TOKEN'), text('VAULT_TOKEN_FILE')];
  if ((token === null) === (file === null))
    throw new Error(
      `${neededBy} needs either VAULT_TOKEN or VAULT_TOKEN_FILE, the file that an agent keeps its token in`,
    );
  return { url: url.replace(/\/+$/, ''), token: () => token ?? readFileSync(file!, 'utf8').trim() };
}
