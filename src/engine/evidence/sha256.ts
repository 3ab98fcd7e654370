// SHA-256 of texts and bytes, the same bits in the engine and in every browser without a platform library. The digest is
// @noble/hashes; the UTF-8 is ours, written into one scratch buffer, because the ids of orders are hashed by the thousand.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** The SHA-256 of a text's UTF-8 bytes. A lone surrogate counts as U+FFFD, as in every UTF-8 encoder. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256OfText(text));
}

/** The SHA-256 of bytes. */
export function sha256HexOfBytes(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** The digest of a text as 32 bytes, which are good until the next digest of a text. */
export function sha256OfText(text: string): Uint8Array {
  const bytes = text.length > SHORT_TEXT ? utf8Bytes(text) : SHORT.subarray(0, writeUtf8(text, SHORT));
  INITIAL._cloneInto(STATE).update(bytes).digestInto(DIGEST);
  return DIGEST;
}

/** The UTF-8 bytes of a text. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  return bytes.subarray(0, writeUtf8(text, bytes));
}

/** Answers how many bytes they are; there must be room for three per sign. */
function writeUtf8(text: string, bytes: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    code = text.codePointAt(i)!;
    if (code > 0xffff) i++;
    else if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6);
      bytes[length++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      bytes[length++] = 0xe0 | (code >> 12);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
      bytes[length++] = 0x80 | (code & 63);
    } else {
      bytes[length++] = 0xf0 | (code >> 18);
      bytes[length++] = 0x80 | ((code >> 12) & 63);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
      bytes[length++] = 0x80 | (code & 63);
    }
  }
  return length;
}

/** Used again for every text: making a state for each costs more than hashing a short one. */
const INITIAL = sha256.create();
const STATE = sha256.create();
const DIGEST = new Uint8Array(32);
const SHORT_TEXT = 256;
const SHORT = new Uint8Array(3 * SHORT_TEXT);
