import { useMemo } from 'react';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { TextLink } from '../../kit/control/text-link.tsx';
import { showMoney, showWord } from '../../kit/figure/show-figure.ts';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { useDrafts } from '../../strategy-builder/builder-queries.ts';
import { useDraftState } from '../../strategy-builder/draft-state.ts';
import { RemoveDraft } from '../../strategy-builder/remove-draft.tsx';
import { rulesSentence } from '../../strategy-builder/rules-sentence.ts';
import { DraftStorey } from './draft-storey.tsx';
import { DraftTabs } from './draft-tabs.tsx';
import { NextStepBar } from './next-step.tsx';

/** A private draft in two storeys: first what it does, how far to believe it and what to do next; then everything about it. */
export function StrategyNew() {
  usePageTitle('Your strategy');
  const [query] = useSearchParams();
  const drafts = useDrafts();
  const draft = drafts.data?.find(({ id }) => id === query.get('draft'));
  if (drafts.isPending) return <LoadingText>Loading your strategy...</LoadingText>;
  if (drafts.isError) {
    return (
      <ErrorState
        heading="h1"
        title="Failed to load your strategy"
        onRetry={() => void drafts.refetch()}
        action={<ToBuilder />}
      >
        It has not changed.
      </ErrorState>
    );
  }
  if (!draft) {
    return (
      <ErrorState heading="h1" title="Draft not found" action={<ToBuilder />}>
        This draft does not exist. It may have been deleted.
      </ErrorState>
    );
  }
  return <Draft key={draft.id} draft={draft} />;
}

function ToBuilder() {
  return (
    <ButtonLink to="/custom-strategies" variant="secondary">
      Back to the builder
    </ButtonLink>
  );
}

function Draft({ draft }: { draft: StrategyDraft }) {
  const state = useDraftState(draft);
  const parsed = useMemo(() => parseDefinition(draft.definition), [draft.definition]);
  const definition = parsed.ok ? parsed.definition : null;
  return (
    <article className="grid grid-cols-1 gap-8 max-sm:pb-16">
      <div>
        <p className="mb-3 text-sm">
          <TextLink to="/custom-strategies">Back to the builder</TextLink>
        </p>
        <PageTitle
          lead={definition === null ? draft.shortDescription : rulesSentence(definition)}
          actions={<RemoveDraft draft={draft} />}
        >
          {draft.name}
        </PageTitle>
        <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-ink-faint">
          <Badge>Private draft</Badge>
          <Badge>{showWord(draft.asset_class)}</Badge>
          <span className="figures">
            Version {draft.version}, minimum {showMoney(draft.min_investment, { cents: 'never' })}. Only you
            can see it{draft.is_traded ? ', and it trades.' : ', and it does not trade.'}
          </span>
        </p>
      </div>
      {state.isError && (
        <Notice tone="failure">Its backtests could not be loaded. Please try again shortly.</Notice>
      )}
      <DraftStorey state={state} />
      <DraftTabs state={state} definition={definition} />
      <NextStepBar state={state} />
    </article>
  );
}
