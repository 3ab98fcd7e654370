import { isIPv6 } from 'node:net';

/** Whose requests count together: an IPv4 address, and of IPv6 the /64 that one line has, with more addresses than anybody could count. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // In its canonical form, with an embedded IPv4 address in hexadecimal, which a URL gives it.
  const [head = '', tail] = new URL(`http://[${address.split('%', 1)[0]!}]`).hostname
    .slice(1, -1)
    .split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after];
  return groups.slice(0, 6).join(':') === MAPPED ? address : `${groups.slice(0, 4).join(':')}::/64`;
}

const GROUPS = 8;
/** An IPv4 address as RFC 4291, section 2.5.5.2 writes it. */
const MAPPED = '0:0:0:0:0:ffff';

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
