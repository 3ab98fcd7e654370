import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { useDraftResult } from '../../strategy-builder/builder-queries.ts';

/** The way from rules that were tested to a deployment: practice first, money after it. */
export function DeployOwn({ draft, ledger }: { draft: StrategyDraft; ledger: string }) {
  const { data: strategy } = useDraftResult(draft, ledger);
  if (strategy === undefined) return null;
  const { offer_note: offer, practice_first_note: practice } = strategy;
  return (
    <section aria-labelledby="deploy">
      <SectionTitle id="deploy" note="Under the same questions, limits and controls as any other strategy.">
        Deploy it
      </SectionTitle>
      <p className="mt-4 max-w-2xl">
        {offer ?? practice ?? 'These rules have practised. You can deploy them in your own account.'} On rules
        that you wrote you pay no performance fee, and nobody advises you.
      </p>
      {offer === null && (
        <p className="mt-6">
          <ButtonLink to={`/strategy/${draft.id}/deploy`}>
            {practice === null ? 'Deploy' : 'Practise These Rules'}
          </ButtonLink>
        </p>
      )}
    </section>
  );
}
