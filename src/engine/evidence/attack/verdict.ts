// The one word over all attacks.
import { CONFIDENCE } from '../evidence-grade.ts';
import {
  type AttackCode,
  type AttackFinding,
  type AttackResult,
  type AttackVerdict,
  judged,
  notRun,
} from './attack-result.ts';

export function verdictOf(results: readonly AttackResult[]): AttackVerdict {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.some(({ code }) => !MILDER.has(code)) || failed.length > 1) return 'do_not_deploy';
  if (results.filter(({ outcome }) => outcome !== 'not_run').length < LEAST_RUN) return 'not_judged';
  return failed.length === 1 ? 'doubtful' : 'withstood';
}

/** The deflated probability of the grade, which counts every try of the family. */
export function attackByLuck(deflatedSharpe: number | null): AttackFinding {
  return deflatedSharpe === null ? notRun('too_short') : judged(deflatedSharpe, CONFIDENCE);
}

/** What a strategy with an edge may well fail alone: few large winners, one crisis, an edge of its own instruments. */
const MILDER: ReadonlySet<AttackCode> = new Set(['best_trades', 'crises', 'other_instruments']);
const LEAST_RUN = 5;
