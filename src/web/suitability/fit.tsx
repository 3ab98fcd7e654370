import type { Strategy } from '#contract/strategies/strategies.ts';
import { isSuitable } from '#rules/suitability/is-suitable.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import { useSession } from '../call/session.tsx';
import { classNames } from '../kit/class-names.ts';

type Scored = Pick<Strategy, 'risk_score'>;

/** The score of whoever is signed in; null without one. */
export function useOwnScore(): RiskScore | null {
  const { user } = useSession();
  return (user?.risk_profile?.risk_score ?? null) as RiskScore | null;
}

export function fits({ risk_score: score }: Scored, own: RiskScore): boolean {
  return isSuitable(score as RiskScore, own);
}

/** Whether a strategy is open to whoever is signed in; nothing for people without a risk profile. */
export function Fit({ strategy }: { strategy: Scored }) {
  const own = useOwnScore();
  if (own === null) return null;
  const isOpen = fits(strategy, own);
  return (
    <span className={classNames('text-sm leading-none', isOpen ? 'text-ink-soft' : 'text-caution')}>
      {isOpen ? `Fits your score of ${own}` : `Above your score of ${own}`}
    </span>
  );
}
