// TRUST_PROXY: whose word about the address of a client is believed.
import { isIP } from 'node:net';

/** Nobody's; that of so many proxies in front, counted from ours; or that of proxies in these networks. */
export type TrustProxy = false | number | readonly string[];

/** Throws an Error that names the setting and what to write. */
export function readTrustProxy(text: string | null): TrustProxy {
  if (text === null || text === 'no' || text === '0') return false;
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops <= HOPS_MAX) return hops;
  }
  const networks = text.split(',').map((one) => one.trim());
  if (networks.every(isNetwork)) return networks;
  throw new Error(
    text === 'yes'
      ? `TRUST_PROXY=yes would believe any address that a client claims. ${WAY_OUT}`
      : `TRUST_PROXY is "${text}". ${WAY_OUT}`,
  );
}

const WAY_OUT =
  'Write the number of proxies in front, such as TRUST_PROXY=1, or their networks, such as TRUST_PROXY=10.0.0.0/8,127.0.0.1';
const HOPS_MAX = 9;

function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  // A network of everybody is no proxy of ours.
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= BITS[family]!)
  );
}

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
