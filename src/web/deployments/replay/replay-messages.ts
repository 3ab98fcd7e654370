// What a page and its replay worker say to each other.
import type { DecisionInputs } from '#contract/decisions.ts';
import type { Difference } from '#engine/decision/replay-decision.ts';

export type ReplayRequest = { readonly inputs: DecisionInputs; readonly bars: Uint8Array };

export type ReplayAnswer =
  | { readonly ok: true; readonly differences: readonly Difference[]; readonly isSameEngine: boolean }
  | { readonly ok: false; readonly message: string };
