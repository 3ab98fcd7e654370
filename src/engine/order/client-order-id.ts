// The client order id is derived, never random: the same decision always gives the same id, so that we, the broker and
// an auditor recognise a repeated send. Rule: 'BW' and the first 26 characters of the Crockford base32 of SHA-256 over
// the UTF-8 text `deployment|cause|symbol|purpose|attempt`.
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { sha256Words } from '../evidence/sha256.ts';
import type { OrderPurpose } from './order.ts';

export type OrderCause = {
  readonly deploymentId: DeploymentId;
  readonly cause: string;
  readonly symbol: Symbol;
  readonly purpose: OrderPurpose;
  /** 1 for the first order of this cause and symbol. */
  readonly attempt: number;
};

export function clientOrderId({ deploymentId, cause, symbol, purpose, attempt }: OrderCause): ClientOrderId {
  const words = sha256Words(`${deploymentId}|${cause}|${symbol}|${purpose}|${attempt}`);
  return `BW${crockfordBase32(words, 26)}` as ClientOrderId;
}

/** The key of DeploymentState.attempts for the orders of one cause for one symbol. */
export function attemptKey(cause: string, symbol: Symbol): string {
  return `${cause}|${symbol}`;
}

/** The first `signs` base32 characters of 32-bit words, most significant bits first. */
function crockfordBase32(words: Int32Array, signs: number): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (let byte = 0; text.length < signs; byte++) {
    held = (held << 8) | ((words[byte >> 2]! >>> (24 - 8 * (byte & 3))) & 255);
    for (bits += 8; bits >= 5 && text.length < signs; held &= (1 << bits) - 1) {
      bits -= 5;
      text += ALPHABET[held >> bits]!;
    }
  }
  return text;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
