// Answers that are given again and again until they change are written as JSON once.
const kept = new WeakMap<object, Buffer>();

/** The JSON of this answer is kept as long as the answer is: nothing may change it. */
export function keepJson<Kept extends object>(answer: Kept): Kept {
  kept.set(answer, Buffer.from(JSON.stringify(answer)));
  return answer;
}

/** As bytes where they are kept: a socket takes them as they are, and need not write the text as UTF-8 each time. */
export function jsonOf(answer: unknown): string | Buffer {
  return kept.get(answer as object) ?? JSON.stringify(answer);
}
