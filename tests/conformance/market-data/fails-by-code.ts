import { expect } from 'vitest';
import { instant, MINUTE_MS } from '#units/instant.ts';
import type { FailureCode, FeedHarness } from './feed-case.ts';

const FAULTS: readonly (readonly [Parameters<FeedHarness['answerWith']>[0], FailureCode])[] = [
  ['silence', 'unreachable'],
  [{ status: 503, text: 'Service Unavailable' }, 'unreachable'],
  [{ status: 200, text: '<html></html>' }, 'malformed'],
  [{ status: 429, text: '{"message":"too many requests."}' }, 'rate_limited'],
];

export type FeedAnswer = { readonly ok: true } | { readonly ok: false; readonly code: FailureCode };

/** Under each fault every question fails with its code; two minutes pass before each, so that nothing is held back. */
export async function failsByCode(
  harness: FeedHarness,
  questions: readonly (() => Promise<FeedAnswer>)[],
): Promise<void> {
  for (const [fault, code] of FAULTS) {
    harness.answerWith(fault);
    await harness.moveTo(instant(harness.now() + 2 * MINUTE_MS));
    for (const ask of questions) expect([fault, codeOf(await ask())]).toEqual([fault, code]);
  }
}

export function codeOf(answer: FeedAnswer): FailureCode | null {
  return answer.ok ? null : answer.code;
}
