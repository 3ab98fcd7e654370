/** By address. */
export type EarlyAnswers = Map<string, Promise<Response>>;

/** An answer that nobody asked for by then is not of this page. */
const FRESH_MS = 15_000;

/** What early/early-script.ts requested before the app had loaded. Taken once: a second call sends its own request. */
export function takeEarlyAnswer(address: string): Promise<Response> | null {
  const { earlyAnswers } = globalThis as { earlyAnswers?: EarlyAnswers };
  if (performance.now() > FRESH_MS) forgetEarlyAnswers();
  const answer = earlyAnswers?.get(address) ?? null;
  earlyAnswers?.delete(address);
  return answer;
}

/** They were answered to whoever was signed in as the page began. */
export function forgetEarlyAnswers(): void {
  (globalThis as { earlyAnswers?: EarlyAnswers }).earlyAnswers?.clear();
}
