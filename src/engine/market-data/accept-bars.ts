// Which of a feed's bars are kept: those before the first bad one. Bars after a bad one would be checked against a gap,
// so they wait with it.
import type { Instant } from '#units/instant.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Bar, Instrument } from '../market/instrument.ts';
import { type CheckCloses, type FeedDoubt, findBarDoubt } from './feed-doubt.ts';
import { type BarFault, validateBar } from './validate-bar.ts';

export type AcceptedBars = {
  readonly accepted: readonly Bar[];
  readonly refused: { readonly bar: Bar; readonly fault: BarFault } | null;
  /** The first bar that a second feed does not bear out; it and later ones wait. */
  readonly doubted: { readonly bar: Bar; readonly doubt: FeedDoubt } | null;
};

export function acceptBars(
  bars: readonly Bar[],
  around: {
    readonly instrument: Instrument;
    /** The newest bars kept already, oldest first; BARS_ASKED of them are enough. */
    readonly known: readonly Bar[];
    readonly actions: readonly CorporateAction[];
    readonly now: Instant;
    readonly check?: CheckCloses | undefined;
  },
): AcceptedBars {
  const { instrument, known, actions, now, check } = around;
  const accepted: Bar[] = [];
  for (const [i, bar] of bars.entries()) {
    const before = [...known, ...accepted.slice(-BARS_ASKED)].slice(-BARS_ASKED);
    const fault = validateBar(bar, { instrument, before, after: bars[i + 1] ?? null, actions, now });
    if (fault !== null) return { accepted, refused: { bar, fault }, doubted: null };
    const doubt = check === undefined ? null : findBarDoubt(bar, check, { kind: instrument.kind, now });
    if (doubt !== null) return { accepted, refused: null, doubted: { bar, doubt } };
    accepted.push(bar);
  }
  return { accepted, refused: null, doubted: null };
}

/** A week of sessions: one wrong bar among them keeps no true bar out. */
export const BARS_ASKED = 5;
