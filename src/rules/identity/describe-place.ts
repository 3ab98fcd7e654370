// Where a session is used, as far as its address says it. We ask no service where an address lies: its owner learns from
// the address itself whether it is theirs.

/** Such as 'the network that you use now'; never a guess at a town. */
export function describePlace(address: string, present: string): string {
  const plain = address.replace(/^::ffff:/, '');
  if (plain === '') return 'an unknown network';
  if (plain === present.replace(/^::ffff:/, '')) return 'the network that you use now';
  if (plain.startsWith('127.') || plain === '::1') return 'the machine of the service itself';
  return PRIVATE.some((pattern) => pattern.test(plain)) ? 'a private network' : 'another network';
}

/** RFC 1918 and RFC 3927; RFC 4193 and RFC 4291. */
const PRIVATE = [/^10\./, /^192\.168\./, /^172\.(1[6-9]|2\d|3[01])\./, /^169\.254\./, /^f[cd]/i, /^fe80:/i];
