// Why a published result has its evidence grade, as the page of the strategy says it.
import { CONFIDENCE, type EvidenceReason } from '#engine/evidence/evidence-grade.ts';

export function evidenceReason(reason: EvidenceReason): string {
  switch (reason.code) {
    case 'too_few_returns':
      return `There are fewer than ${reason.least} returns that differ.`;
    case 'no_skill_since_commit':
      return `Since the version was committed the probability of any skill is ${percent(reason.probability)}.`;
    case 'no_skill_alone':
      return `The probability that the true Sharpe ratio is above zero is ${percent(reason.probability)}, below ${percent(CONFIDENCE)}.`;
    case 'no_skill_beyond_benchmark':
      return `The probability of any skill beyond holding its benchmark at equal exposure is ${percent(reason.probability)}, below ${percent(CONFIDENCE)}.`;
    case 'no_gain':
      return 'Its backtest earned nothing until its rules were fixed.';
    case 'may_be_luck':
      return `${moreThanLuck(reason)}, below ${percent(CONFIDENCE)}.`;
    case 'not_luck':
      return `${moreThanLuck(reason)}.`;
    case 'overfitted':
      return `In ${percent(reason.probability)} of the splits, the variant that was best on one half of the data underperformed on the other.`;
    case 'neighbours_not_tried':
      return 'Nearby parameters have not been tested yet.';
    default:
      return reason satisfies never;
  }
}

function moreThanLuck({ tries, probability }: { tries: number; probability: number }): string {
  return `Counting all tries (${tries}), the probability that this is more than luck is ${percent(probability)}`;
}

/** To a tenth, but what is below the threshold never reads as if it had reached it. Nothing is certain. */
function percent(probability: number): string {
  if (probability >= 0.999) return 'over 99.9%';
  const perMille = Math.round(probability * 1000);
  const reaches = probability < CONFIDENCE && perMille >= CONFIDENCE * 1000;
  return `${(reaches ? perMille - 1 : perMille) / 10}%`;
}
