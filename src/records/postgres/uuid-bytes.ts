// A UUID as PostgreSQL sends and stores it: sixteen bytes instead of 36 characters, which it would have to parse.

export const UUID_BYTES = 16;

/** Writes the sixteen bytes of a UUID text. Returns the end offset. Throws RangeError on anything else. */
export function writeUuid(bytes: Buffer, text: string, at: number): number {
  let to = at;
  let wrong = text.length - UUID_SIGNS;
  for (let i = 0; i < UUID_SIGNS; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) wrong |= text.charCodeAt(i++) ^ HYPHEN;
    const high = HEX_VALUES[text.charCodeAt(i)] ?? NO_HEX;
    const low = HEX_VALUES[text.charCodeAt(i + 1)] ?? NO_HEX;
    wrong |= (high | low) & NO_HEX;
    bytes[to++] = (high << 4) | low;
  }
  if (wrong !== 0) throw new RangeError(`not a UUID: ${text}`);
  return to;
}

const UUID_SIGNS = 36;
const HYPHEN = 45;
const NO_HEX = 16;
const HEX_VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_HEX : value;
});
