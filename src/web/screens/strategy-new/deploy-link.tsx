import type { StrategyDetail } from '#contract/strategies/strategies.ts';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';

/** Rules that were tested go to practice, and from there to the person's account. */
export function DeployLink({
  draft,
  strategy,
  size,
  wide,
}: {
  draft: StrategyDraft;
  strategy: StrategyDetail;
  size?: 'small' | 'large';
  wide?: boolean;
}) {
  if (strategy.offer_note !== null) return null;
  const practisesOnly = strategy.practice_first_note !== null;
  if (practisesOnly && draft.is_traded)
    return (
      <ButtonLink to="/deployed-strategies" variant="secondary" {...{ size, wide }}>
        See It Practise
      </ButtonLink>
    );
  return (
    <ButtonLink to={`/strategy/${draft.id}/deploy`} {...{ size, wide }}>
      {practisesOnly ? 'Practise These Rules' : 'Deploy'}
    </ButtonLink>
  );
}
