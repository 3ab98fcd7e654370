// Which of the rules that were tried meet the wishes, and which of them the draft gets. A wish is about the past; nothing here says
// that the best of many tries is more than luck: the evidence does, and it counts them all.

/** Percent, both: the deepest fall allowed, and the yearly return hoped for. */
export type Wishes = { readonly maxDrawdown: number; readonly targetReturn: number };

/** Percent a year, percent below the peak, yearly Sharpe ratio. */
export type TriedFigures = {
  readonly annualReturn: number;
  readonly maxDrawdown: number;
  readonly sharpe: number;
};

export type Judged = {
  /** Whether each met both wishes, in the order in which they were tried. */
  readonly met: readonly boolean[];
  /** The place of the rules that the draft gets; -1 where none could be measured. */
  readonly chosen: number;
};

/** `tried` has null for rules that could not be measured. Of those that met both wishes the one with the highest Sharpe ratio; else the nearest. */
export function judgeSearch(tried: readonly (TriedFigures | null)[], wishes: Wishes): Judged {
  const met = tried.map((one) => one !== null && distance(one, wishes) === 0);
  const places = tried.flatMap((one, place) => (one === null ? [] : [{ one, place }]));
  const [best] = places.toSorted(
    (left, right) =>
      distance(left.one, wishes) - distance(right.one, wishes) ||
      right.one.sharpe - left.one.sharpe ||
      left.place - right.place,
  );
  return { met, chosen: best?.place ?? -1 };
}

/** How much of each wish is missing, in shares of it. */
function distance({ annualReturn, maxDrawdown }: TriedFigures, wishes: Wishes): number {
  const fall = Math.max(0, maxDrawdown / wishes.maxDrawdown - 1);
  const gain = Math.max(0, 1 - annualReturn / wishes.targetReturn);
  return fall + gain;
}

/** What came of it, in words. */
export function searchSentence({ met, chosen }: Judged, { maxDrawdown, targetReturn }: Wishes): string {
  const wished = `${targetReturn}% a year with at most ${maxDrawdown}% below the peak`;
  const count = met.filter(Boolean).length;
  const tried = `${met.length} sets of rules were tried for ${wished}.`;
  if (chosen === -1) return `${tried} None of them could be measured: there are too few prices.`;
  if (count === 0) return `${tried} None met both. Below is the one that came nearest.`;
  const were = count === 1 ? '1 of them did in the past' : `${count} of them did in the past`;
  return `${tried} ${were}. Below is the one with the highest Sharpe ratio; how likely it is more than luck, counting every try, stands beside it.`;
}

/** How far a search is. */
export function searchProgress(done: number, of: number): string {
  return `${done} of ${of} sets of rules`;
}
