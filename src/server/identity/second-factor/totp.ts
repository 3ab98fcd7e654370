// Time-based one-time passwords, RFC 6238, with what authenticator apps understand: SHA-1, six digits, 30 seconds.
import { createHmac, randomBytes } from 'node:crypto';

export const STEP_SECONDS = 30;
const DIGITS = 6;
/** One step before and after: clocks differ, and typing takes a while. */
const DRIFT_STEPS = 1;
/** As long as the hash, RFC 4226, section 4. */
const SECRET_BYTES = 20;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** RFC 4226, section 5.3, over the number of the step. */
export function codeOf(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is, near `now`; null when it is none of them. */
export function matchStep(secret: Uint8Array, code: string, now: number): number | null {
  const present = Math.floor(now / 1000 / STEP_SECONDS);
  for (let step = present - DRIFT_STEPS; step <= present + DRIFT_STEPS; step++)
    if (codeOf(secret, step) === code) return step;
  return null;
}

/** RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app reads from the square code. */
export function otpauthUrl(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer,
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${label}?${query}`;
}
