// Answers that are given again and again until they change are written as JSON once.
const texts = new WeakMap<object, string | null>();

/** The text of this answer is kept as long as the answer is: nothing may change it. */
export function keepText<Kept extends object>(answer: Kept): Kept {
  texts.set(answer, null);
  return answer;
}

export function textOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer);
  const kept = texts.get(answer);
  if (kept === undefined) return JSON.stringify(answer);
  if (kept !== null) return kept;
  const text = JSON.stringify(answer);
  texts.set(answer, text);
  return text;
}
