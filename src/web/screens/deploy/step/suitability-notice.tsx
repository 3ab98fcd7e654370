import { isSuitable, suitabilityNote } from '#rules/suitability/is-suitable.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import { Notice } from '../../../kit/state/notice.tsx';
import { TextLink } from '../../../kit/control/text-link.tsx';
import type { Wizard } from '../wizard-state.ts';

/** Whether this strategy is open to a person of this profile; nothing without a profile. */
export function SuitabilityNotice({ wizard }: { wizard: Wizard }) {
  const scores = scoresOf(wizard);
  if (scores === null) return null;
  if (isSuitable(scores.strategy, scores.client)) {
    return <Notice>{suitabilityNote(scores.strategy, scores.client)}</Notice>;
  }
  return (
    <Notice tone="caution" title="This strategy is riskier than your profile">
      {suitabilityNote(scores.strategy, scores.client)}{' '}
      <TextLink to="/marketplace">To the marketplace</TextLink>
    </Notice>
  );
}

/** What keeps the person from going on with this strategy, or undefined. */
export function unsuitableReason(wizard: Wizard): string | undefined {
  const scores = scoresOf(wizard);
  if (scores === null) return 'Complete the risk assessment first.';
  if (isSuitable(scores.strategy, scores.client)) return undefined;
  return 'The strategy’s risk score is above your own.';
}

function scoresOf({ strategy, user }: Wizard): { strategy: RiskScore; client: RiskScore } | null {
  if (user.risk_profile === null) return null;
  return { strategy: strategy.risk_score as RiskScore, client: user.risk_profile.risk_score as RiskScore };
}
