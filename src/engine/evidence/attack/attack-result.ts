// What an attack on a strategy found. A figure survives when it is above its threshold.

/**
 * luck: the probability that it is more than luck, all tries counted. double_costs, bar_delay: the share of its Sharpe ratio that it
 * keeps. neighbours: the share that the median neighbour of its numbers has. best_trades: what it earns without its best five trades,
 * as a share of the first equity. random_entries: the share of random entries of equal exposure that it beats. crises: its worst return
 * over a known crisis. unseen_tail, other_instruments: the yearly Sharpe ratio there.
 */
export const ATTACKS = [
  'luck',
  'double_costs',
  'bar_delay',
  'best_trades',
  'neighbours',
  'random_entries',
  'crises',
  'unseen_tail',
  'other_instruments',
] as const;
export type AttackCode = (typeof ATTACKS)[number];

/**
 * withstood: no attack that could be run has beaten it. doubtful: one of the milder ones has. do_not_deploy: more, or one of the
 * others. not_judged: too few could be run.
 */
export const ATTACK_VERDICTS = ['withstood', 'doubtful', 'do_not_deploy', 'not_judged'] as const;
export type AttackVerdict = (typeof ATTACK_VERDICTS)[number];

export const NOT_RUN_REASONS = [
  'no_gain',
  'too_short',
  'too_few_trades',
  'too_few_neighbours',
  'options_have_dates',
  'too_few_days',
  'simulated_prices',
  'no_crisis_covered',
  'mixed_kinds',
  'trained_on_its_own',
  'no_others',
  'engine_refused',
] as const;
export type NotRunReason = (typeof NOT_RUN_REASONS)[number];

export type AttackFinding =
  | { readonly outcome: 'survived' | 'failed'; readonly figure: number; readonly threshold: number }
  | { readonly outcome: 'not_run'; readonly reason: NotRunReason };

export type AttackResult = { readonly code: AttackCode } & AttackFinding;

export function judged(figure: number, threshold: number): AttackFinding {
  if (!Number.isFinite(figure)) return notRun('too_short');
  return { outcome: figure > threshold ? 'survived' : 'failed', figure, threshold };
}

export function notRun(reason: NotRunReason): AttackFinding {
  return { outcome: 'not_run', reason };
}

/** The share of a Sharpe ratio that is left under harder terms; at least half of it is asked for. */
export function judgedByShareKept(base: number, attacked: number): AttackFinding {
  if (!(base > 0)) return notRun('no_gain');
  return judged(attacked / base, SHARE_KEPT);
}

/** Our own choice: who keeps half of an edge still has one. */
const SHARE_KEPT = 0.5;
