// Counter-based randomness: every draw is a pure function of (seed, stream, day, index), so that any day of the
// simulated world can be computed again without remembering how it was reached.

/** Draws of one stream on one day. Index i always gives the same number. */
export type Draws = {
  /** Uniform in (0, 1). */
  uniform(index: number): number;
  /** Standard normal. Uses the uniforms 2 × index and 2 × index + 1 of a range of its own. */
  normal(index: number): number;
};

/** A 32-bit seed from any text: a whole number is used as it is, other text is hashed. */
export function seedFromText(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  let hash = 0x811c9dc5;
  for (const char of text) hash = scramble(Math.imul(hash ^ char.codePointAt(0)!, 0x01000193));
  return hash >>> 0;
}

/** The root from which a stream's draws of one day are taken. */
export function rootOf(seed: number, stream: number, day: number): number {
  return scramble(scramble(seed ^ Math.imul(stream + 1, 0x9e3779b1)) + Math.imul(day + 1, 0x85ebca77));
}

export function draws(seed: number, stream: number, day: number): Draws {
  const root = rootOf(seed, stream, day);
  const uniform = (index: number) => (bitsAt(root, index) + 0.5) / 4_294_967_296;
  return {
    uniform,
    normal(index) {
      // Box and Muller, Annals of Mathematical Statistics 29 (1958).
      const radius = Math.sqrt(-2 * Math.log(uniform(NORMAL_BASE + 2 * index)));
      return radius * Math.cos(2 * Math.PI * uniform(NORMAL_BASE + 2 * index + 1));
    },
  };
}

/** Roughly standard normal from one hash: four bytes added up. For the millions of steps inside days. */
export function coarseNormal(root: number, index: number): number {
  const bits = bitsAt(root, index);
  return (
    ((bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510) / BYTES_DEVIATION
  );
}

function bitsAt(root: number, index: number): number {
  return scramble(root + Math.imul(index + 1, 0xc2b2ae3d)) >>> 0;
}

/** The finaliser of MurmurHash3 (Appleby, public domain): every input bit moves every output bit. */
function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

const NORMAL_BASE = 1_000_000;
/** Standard deviation of the sum of four independent uniform bytes. */
const BYTES_DEVIATION = Math.sqrt((4 * (256 * 256 - 1)) / 12);
