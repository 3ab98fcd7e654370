// Where the root key is: in the file of KEK_FILE, or in a service that never gives it away.
import { readVaultAccess, type VaultAccess } from './vault-access.ts';

export type KeyService = VaultAccess & {
  readonly mount: string;
  readonly keyName: string;
};

/** Null: the key file. */
export function readKeyService(text: (name: string) => string | null): KeyService | null {
  const chosen = text('KMS') ?? 'file';
  if (chosen === 'file') return null;
  if (chosen !== 'vault') throw new Error(`KMS must be file or vault, not "${chosen}"`);
  return {
    ...readVaultAccess(text, 'KMS=vault'),
    mount: text('VAULT_TRANSIT_MOUNT') ?? 'transit',
    keyName: text('VAULT_TRANSIT_KEY') ?? 'bellwether',
  };
}
