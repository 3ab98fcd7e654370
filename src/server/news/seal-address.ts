import { openSecret, sealSecret, type SealingTerms } from '#records/keys/sealed-secret.ts';

export function sealAddress(address: string, id: string, keys: SealingTerms['keys']): Buffer {
  return sealSecret(address, { keys, purpose: purposeOf(id) });
}

export function openAddress(sealed: Uint8Array, id: string, keys: SealingTerms['keys']): Promise<string> {
  return openSecret(sealed, { keys, purpose: purposeOf(id) });
}

const purposeOf = (id: string) => `news_addresses:${id}:sealed_address`;
