// Bars of a past that nobody watches live: which of them contradict their neighbours, as a slipped decimal point does.
// One such bar keeps no other out.
import type { Bar } from '../market/instrument.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import { isOutsidePriceBand, priceOn } from './price-band.ts';

/** Its prices are more than tenfold away from each of the last closes before it; `closeBefore` is the newest of them. */
export type Contradiction = { readonly bar: Bar; readonly closeBefore: number };

/** `before` are the newest bars known before the first of these; all oldest first. */
export function splitOffContradictions(
  bars: readonly Bar[],
  { before, actions }: { readonly before: readonly Bar[]; readonly actions: readonly CorporateAction[] },
): { readonly accepted: readonly Bar[]; readonly contradicting: readonly Contradiction[] } {
  const last = before.slice(-NEIGHBOURS);
  const accepted: Bar[] = [];
  const contradicting: Contradiction[] = [];
  for (const bar of bars) {
    if (last.length > 0 && last.every((one) => isFarFrom(bar, one, actions))) {
      contradicting.push({ bar, closeBefore: last.at(-1)!.close });
      continue;
    }
    accepted.push(bar);
    last.push(bar);
    if (last.length > NEIGHBOURS) last.shift();
  }
  return { accepted, contradicting };
}

function isFarFrom(bar: Bar, { close, date }: Bar, actions: readonly CorporateAction[]): boolean {
  const known = actions.length === 0 ? close : priceOn({ price: close, date }, bar.date, actions);
  return isOutsidePriceBand(known, bar.low) || isOutsidePriceBand(known, bar.high);
}

/** A wrong bar among them keeps no true bar out. */
const NEIGHBOURS = 5;
