// Other orders in which the same returns could have come: whole blocks of them drawn again and again (circular block
// bootstrap: Politis and Romano, 1992). It keeps what days of a month have to do with each other, and knows nothing that
// the record has not seen.

/** Rows: a month of days. */
export const BLOCK = 21;

/** Fills `drawn`, of any length, with blocks of `returns`. */
export function drawBlocks(
  drawn: Float64Array,
  { returns, random }: { readonly returns: Float64Array; readonly random: () => number },
): void {
  const { length } = returns;
  let from = 0;
  for (let t = 0; t < drawn.length; t++) {
    if (t % BLOCK === 0) from = Math.floor(random() * length);
    drawn[t] = returns[(from + (t % BLOCK)) % length]!;
  }
}

/** Numbers in [0, 1), the same for the same seed in every JavaScript engine: mulberry32 (Ettinger, public domain). */
export function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How many of `count` sorted values are below the one that `share` of them are. */
export function rankOf(share: number, count: number): number {
  return Math.min(count - 1, Math.floor(share * count));
}
