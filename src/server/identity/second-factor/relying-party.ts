import { isIP } from 'node:net';
import type { Dependencies } from '../../http/dependencies.ts';

/** Who a browser says that it answers to: passkeys are bound to the name in our public address. */
export function relyingParty({ config }: Pick<Dependencies, 'config'>): {
  readonly id: string;
  readonly origin: string;
} {
  const { hostname, origin } = new URL(config.publicUrl);
  return { id: hostname, origin };
}

/** Browsers keep no passkeys for an address of digits, nor without https beside this machine. */
export function takesPasskeys({ config }: Pick<Dependencies, 'config'>): boolean {
  const { hostname, protocol } = new URL(config.publicUrl);
  const isNamed = isIP(hostname.replaceAll(/^\[|\]$/g, '')) === 0;
  return isNamed && (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'));
}
