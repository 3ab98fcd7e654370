import type { Strategy } from '#contract/strategies/strategies.ts';
import { isSuitable } from '#rules/suitability/is-suitable.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import { useSession } from '../call/session.tsx';
import { classNames } from '../kit/class-names.ts';
import { showMoney } from '../kit/figure/show-figure.ts';

type Scored = Pick<Strategy, 'risk_score'>;

/** The score of whoever is signed in; null without one. */
export function useOwnScore(): RiskScore | null {
  const { user } = useSession();
  return (user?.risk_profile?.risk_score ?? null) as RiskScore | null;
}

export function fits({ risk_score: score }: Scored, own: RiskScore): boolean {
  return isSuitable(score as RiskScore, own);
}

/**
 * Whether a strategy is open to whoever is signed in, and whether their money is enough for it; nothing where neither is
 * known. `money`: what they have to invest, in dollars.
 */
export function Fit({
  strategy,
  money = null,
}: {
  strategy: Scored & Partial<Pick<Strategy, 'min_investment'>>;
  money?: number | null;
}) {
  const own = useOwnScore();
  const missing = money === null ? 0 : (strategy.min_investment ?? 0) - money;
  const isOpen = own === null || fits(strategy, own);
  const words = [
    ...(own === null ? [] : [isOpen ? `Fits your score of ${own}` : `Above your score of ${own}`]),
    ...(missing > 0 ? [`Needs ${showMoney(missing, { cents: 'auto' })} more`] : []),
  ];
  if (words.length === 0) return null;
  return (
    <span
      className={classNames(
        'text-sm leading-none',
        isOpen && missing <= 0 ? 'text-ink-soft' : 'text-caution',
      )}
    >
      {words.join(' · ')}
    </span>
  );
}
