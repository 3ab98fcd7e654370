// The case for a strategy and the case against it, each in a few sentences, out of figures alone.
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { WorstYear } from '#engine/rehearsal/worst-year.ts';
import { showCounted, showDate, showFraction, showMoney, showPercent } from '../kit/figure/show-figure.ts';
import { GRADE_SENTENCES } from './evidence/evidence-words.ts';

export type Case = { readonly pro: readonly string[]; readonly contra: readonly string[] };

/** Of the same days and the same amount. Changes and falls are fractions. */
export type CaseFigures = {
  readonly total: number;
  readonly benchmarkTotal: number | null;
  /** At or below zero. */
  readonly fall: number;
  readonly benchmarkFall: number | null;
  readonly benchmarkName: string;
  readonly worstYear: WorstYear | null;
  readonly years: number;
};

type Judged = Pick<Strategy, 'evidence'>;

export function forAndAgainst({ evidence }: Judged, figures: CaseFigures): Case {
  const { after_fee, out_of_sample: since, grade } = evidence;
  const { benchmarkName: name, worstYear, total, benchmarkTotal, fall, benchmarkFall } = figures;
  const pro: string[] = [];
  const contra: string[] = [];
  const yearly = after_fee.annual_return;
  if (yearly !== null) {
    const sentence = `${showPercent(yearly, { sign: true, decimals: 1 })} a year${after_fee.fee_percent > 0 ? ' after the fee' : ''}, over ${figures.years.toFixed(1)} years.`;
    if (yearly > 0) pro.push(sentence);
    else contra.push(`It lost money: ${sentence}`);
  }
  if (worstYear !== null && worstYear.dollars < 0) {
    contra.push(
      `Its worst twelve months cost ${showMoney(-worstYear.dollars, { cents: 'never' })} (to ${showDate(worstYear.to)}).`,
    );
  }
  const own = showFraction(fall);
  if (benchmarkFall !== null && fall > benchmarkFall * SMALLER)
    pro.push(`Smaller falls: ${own} at worst, where ${name} fell ${showFraction(-benchmarkFall)}.`);
  else contra.push(`Fell ${showFraction(-fall)} from its peak at worst.`);
  if (benchmarkTotal !== null) {
    const other = showFraction(benchmarkTotal, { sign: true, decimals: 0 });
    if (benchmarkTotal > total) contra.push(`${name} earned more: ${other} over the same days.`);
    else pro.push(`Earned more than ${name}, which made ${other}.`);
  }
  if (since.is_enough && since.total_return !== null) {
    const change = showPercent(since.total_return, { sign: true, decimals: 1 });
    const months = since.months === 1 ? 'month' : showCounted(since.months, 'month');
    const sentence = `${change} in the ${months} since its rules were fixed.`;
    (since.total_return > 0 ? pro : contra).push(sentence);
  }
  if (grade === 'supported') pro.push(GRADE_SENTENCES[grade]);
  else if (yearly === null || yearly > 0) contra.push(GRADE_SENTENCES[grade]);
  return { pro, contra };
}

/** A fall counts as smaller when a tenth of the benchmark's is missing. */
const SMALLER = 0.9;
