// SHA-256 (FIPS 180-4) in plain integer arithmetic, so that engine and browser make the same hash without a
// platform library. Promises the digest of the UTF-8 bytes of a text, or of bytes, as 64 lower-case hex digits.

/** The SHA-256 of a text's UTF-8 bytes. A lone surrogate counts as U+FFFD, as in every UTF-8 encoder. */
export function sha256Hex(text: string): string {
  return hexOf(sha256Words(text));
}

/** The SHA-256 of bytes. */
export function sha256HexOfBytes(bytes: Uint8Array): string {
  return hexOf(digest(bytes));
}

/** The same digest of a text as eight 32-bit words, most significant first. They are good until the next digest. */
export function sha256Words(text: string): Int32Array {
  if (text.length > SHORT_TEXT) return digest(utf8Bytes(text));
  const length = writeUtf8(text, SHORT);
  const padded = padInPlace(SHORT, length);
  let at = 0;
  if (length >= BLOCK_BYTES) {
    absorbFirstBlock();
    at = BLOCK_BYTES;
  } else STATE.set(INITIAL_STATE);
  for (; at < padded; at += BLOCK_BYTES) absorb(STATE, SCHEDULE, SHORT, at);
  return STATE;
}

/** The ids of one deployment's orders begin alike: what their first block made of the state is kept. */
function absorbFirstBlock(): void {
  let isAsBefore = true;
  for (let i = 0; i < BLOCK_BYTES && isAsBefore; i++) isAsBefore = FIRST_BLOCK[i] === SHORT[i];
  if (isAsBefore) {
    STATE.set(FIRST_STATE);
    return;
  }
  STATE.set(INITIAL_STATE);
  absorb(STATE, SCHEDULE, SHORT, 0);
  FIRST_STATE.set(STATE);
  FIRST_BLOCK.set(SHORT.subarray(0, BLOCK_BYTES));
}

function digest(bytes: Uint8Array): Int32Array {
  STATE.set(INITIAL_STATE);
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += BLOCK_BYTES) absorb(STATE, SCHEDULE, bytes, at);
  TAIL.set(bytes.subarray(whole));
  const padded = padInPlace(TAIL, bytes.length - whole, bytes.length);
  for (let at = 0; at < padded; at += BLOCK_BYTES) absorb(STATE, SCHEDULE, TAIL, at);
  return STATE;
}

function hexOf(words: Int32Array): string {
  let hex = '';
  for (let i = 0; i < 8; i++) {
    const word = words[i]!;
    hex += HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
  }
  return hex;
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

const BLOCK_BYTES = 64;
/** Reused for every text: allocating it each time would cost as much as hashing a short one. */
const STATE = new Int32Array(8);
const SCHEDULE = new Int32Array(64);
const TAIL = new Uint8Array(2 * BLOCK_BYTES);
const SHORT_TEXT = 256;
const SHORT = new Uint8Array(3 * SHORT_TEXT + 2 * BLOCK_BYTES);
/** Of no text: its last byte is in no UTF-8. */
const FIRST_BLOCK = new Uint8Array(BLOCK_BYTES).fill(255);
const FIRST_STATE = new Int32Array(8);
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Behind the first `length` bytes their padding: a one bit, zeros, and the length of the whole message in bits as 64-bit
 * big-endian. Answers where it ends, a whole number of blocks.
 */
function padInPlace(bytes: Uint8Array, length: number, messageBytes = length): number {
  const padded = Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  bytes.fill(0, length, padded);
  bytes[length] = 0x80;
  let bits = messageBytes * 8;
  for (let at = padded - 1; bits > 0; at--) {
    bytes[at] = bits % 256;
    bits = Math.floor(bits / 256);
  }
  return padded;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function absorb(state: Int32Array, schedule: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const from = at + i * 4;
    schedule[i] =
      (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!;
    const late = schedule[i - 2]!;
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = schedule[i - 16]! + sigma0 + schedule[i - 7]! + sigma1;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const mixE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choose = (e & f) ^ (~e & g);
    const first = (h + mixE + choose + ROUND_CONSTANTS[i]! + schedule[i]!) | 0;
    const mixA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + mixA + majority) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/** FIPS 180-4 section 5.3.3: the first 32 bits of the fraction of the square roots of the first 8 primes. */
const INITIAL_STATE = primes(8).map((prime) => fractionBits(Math.sqrt(prime)));

/** FIPS 180-4 section 4.2.2: the first 32 bits of the fraction of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = Int32Array.from(primes(64), (prime) => fractionBits(cubeRoot(prime)));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x100000000) | 0;
}

function cubeRoot(value: number): number {
  let root = value < 27 ? 2 : 5;
  for (let i = 0; i < 60; i++) root -= (root * root * root - value) / (3 * root * root);
  return root;
}
