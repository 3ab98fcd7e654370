import type { QueryClient } from '@tanstack/react-query';

/** A read that the document names: its address, and the key under which the screens keep its answer. */
export type EarlyRead = { readonly address: string; readonly key: readonly unknown[] };

/** By address. */
export type EarlyAnswers = Map<
  string,
  { readonly key: EarlyRead['key']; readonly answer: Promise<Response> }
>;

/** An answer that nobody asked for by then is not of this page. */
const FRESH_MS = 15_000;

/** What early/early-script.ts requested before the app had loaded. Taken once: a second call sends its own request. */
export function takeEarlyAnswer(address: string): Promise<Response> | null {
  const { earlyAnswers } = globalThis as { earlyAnswers?: EarlyAnswers };
  if (performance.now() > FRESH_MS) forgetEarlyAnswers();
  const { answer = null } = earlyAnswers?.get(address) ?? {};
  earlyAnswers?.delete(address);
  return answer;
}

/**
 * Writes to the cache what has been answered once `ready` is, so that the first drawing of the page holds its figures.
 * What comes later, or was refused, is left to the call that asks for it.
 */
export async function keepEarlyAnswers(cache: QueryClient, ready: Promise<unknown>): Promise<void> {
  const { earlyAnswers } = globalThis as { earlyAnswers?: EarlyAnswers };
  const read = new Map<string, () => void>();
  for (const [address, { key, answer }] of earlyAnswers ?? []) {
    const keep = async () => {
      const response = await answer;
      if (!response.ok) return;
      const data: unknown = await response.clone().json();
      read.set(address, () => cache.setQueryData(key, data));
    };
    // Who asks for it hears of a failure.
    keep().catch(() => {});
  }
  await ready;
  for (const [address, write] of read) if (takeEarlyAnswer(address) !== null) write();
}

/** They were answered to whoever was signed in as the page began. */
export function forgetEarlyAnswers(): void {
  (globalThis as { earlyAnswers?: EarlyAnswers }).earlyAnswers?.clear();
}
