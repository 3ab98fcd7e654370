// Tests that walk one path: each step is a test, and once one fails the later ones are skipped.
import { test } from 'vitest';

export type Steps = (claim: string, walk: () => Promise<void>) => void;

export function walkInSteps(options: { readonly timeout: number }): Steps {
  let unfinished: string | null = null;
  return (claim, walk) =>
    test(claim, options, async ({ skip }) => {
      if (unfinished !== null) skip(`the path broke off at: ${unfinished}`);
      unfinished = claim;
      await walk();
      unfinished = null;
    });
}
