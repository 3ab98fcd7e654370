// The risk rule (specification, section 1): a client may invest only in strategies whose score is at or below
// their own.
import type { RiskScore } from './risk-class.ts';

export function isSuitable(strategyScore: RiskScore, clientScore: RiskScore): boolean {
  return strategyScore <= clientScore;
}

/** The note that the wizard shows, and the refusal that the server gives. */
export function suitabilityNote(strategyScore: RiskScore, clientScore: RiskScore): string {
  return isSuitable(strategyScore, clientScore)
    ? `This strategy has a risk score of ${strategyScore} out of 5, which is within your own score of ${clientScore}.`
    : `This strategy has a risk score of ${strategyScore} out of 5, above your own score of ${clientScore}. Choose a strategy with a score of ${clientScore} or less, or retake the assessment if your situation has changed.`;
}
