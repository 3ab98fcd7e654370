// Answers that are given again and again until they change are written as JSON once.
const texts = new WeakMap<object, string>();

/** The text of this answer is kept as long as the answer is: nothing may change it. */
export function keepText<Kept extends object>(answer: Kept): Kept {
  texts.set(answer, JSON.stringify(answer));
  return answer;
}

export function textOf(answer: unknown): string {
  return texts.get(answer as object) ?? JSON.stringify(answer);
}
