// Why a backtest or one set of a sweep has no figures, and what it is doing, as the person who requested it reads it.

const REASONS = {
  no_figures:
    'There are no figures: the rules never traded on these prices, or there are too few days of them.',
  set_without_figures: 'It never traded, or there are too few days.',
  scoring: 'Scoring with the model',
  changed_meanwhile:
    'The rules of the draft were changed while it searched. Yours stay; nothing was replaced.',
  kept_as_published:
    'The record stays as it was published, and ends there: this version of the engine gives other figures for its days. Publish a next version of the strategy to go on with it.',
  attack_without_result:
    'This version has no result yet. Run its backtest first: the attack is on its result.',
} as const;

export function resultReason(code: keyof typeof REASONS): string {
  return REASONS[code];
}

type ChangedBar = { readonly symbol: string; readonly date: string; readonly reason: string };

/** Names the first five. */
export function changedBarsReason(changed: readonly ChangedBar[]): string {
  const named = changed
    .slice(0, NAMED_MAX)
    .map(({ symbol, date, reason }) => `${symbol} on ${date}: ${reason}`);
  const more = changed.length - named.length;
  return `No result is computed from bars that were changed. ${named.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
}

const NAMED_MAX = 5;
