import { useMemo } from 'react';
import type { BacktestJob } from '#contract/strategies/backtests.ts';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { showMoney, showWord } from '../../kit/figure/show-figure.ts';
import { TextLink } from '../../kit/control/text-link.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { isRunning, useBacktests, useDrafts, useSearchOf } from '../../strategy-builder/builder-queries.ts';
import { describeDefinition } from '../../strategy-builder/describe-definition.ts';
import { DraftConversation } from '../../strategy-builder/draft-conversation.tsx';
import { AttackPanel } from '../../strategy-builder/attack-panel.tsx';
import { DraftEvidence } from './draft-evidence.tsx';
import { DeployOwn } from './deploy-own.tsx';
import { DraftName } from '../../strategy-builder/draft-name.tsx';
import { JobProgress, NoResult } from '../../strategy-builder/draft-progress.tsx';
import { FineTuning } from '../../strategy-builder/fine-tuning.tsx';
import { RemoveDraft } from '../../strategy-builder/remove-draft.tsx';
import { SearchResultPanel } from '../../strategy-builder/search-result-panel.tsx';
import { SweepPanel } from '../../strategy-builder/sweep-panel.tsx';

/** One draft of one's own: its rules in words, what they did on past prices, and the numbers to move. */
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
  const jobs = useBacktests(draft.id);
  const parsed = useMemo(() => parseDefinition(draft.definition), [draft.definition]);
  const running = jobs.data?.find(isRunning);
  const newest = (asked: BacktestJob['kind']) =>
    jobs.data?.find(({ kind, version_id }) => kind === asked && version_id === draft.version_id);
  const own = newest('backtest');
  const search = useSearchOf(draft, jobs.data);
  const isTested = own?.status === 'done' || search !== undefined;
  const sweep = jobs.data?.find(({ kind, status }) => kind === 'sweep' && status === 'done');
  const ledger = String(jobs.data?.filter(({ status }) => status === 'done').length ?? 0);
  return (
    <>
      <p className="mb-4 text-sm">
        <TextLink to="/custom-strategies">Back to the builder</TextLink>
      </p>
      <PageTitle lead={draft.shortDescription} actions={<RemoveDraft draft={draft} />}>
        {draft.name}
      </PageTitle>
      <p className="mt-4 flex flex-wrap items-center gap-2 text-sm text-ink-faint">
        <Badge>Private draft</Badge>
        <Badge>{showWord(draft.asset_class)}</Badge>
        <span className="figures">
          Version {draft.version}, minimum {showMoney(draft.min_investment, { cents: 'never' })}. Only you can
          see it{draft.is_traded ? ', and it trades.' : ', and it does not trade.'}
        </span>
      </p>
      <div className="mt-8 grid gap-12">
        {running && <JobProgress key={running.id} job={running} />}
        {jobs.isError && (
          <Notice tone="failure">Its backtests could not be loaded. Please try again shortly.</Notice>
        )}
        {search && <SearchResultPanel search={search} />}
        {isTested && (
          <Tested draft={draft} ledger={ledger} isBusy={running !== undefined} attack={newest('attack')} />
        )}
        {jobs.isSuccess && !isTested && own?.status !== 'queued' && own?.status !== 'running' && !running && (
          <NoResult strategyId={draft.id} job={own} />
        )}
        <Rules draft={draft} />
        <DraftConversation draft={draft} isBusy={running !== undefined} />
        {parsed.ok && (
          <>
            <FineTuning
              key={draft.version_id}
              strategyId={draft.id}
              definition={parsed.definition}
              isTraded={draft.is_traded}
              isBusy={running !== undefined}
            />
            <SweepPanel
              strategyId={draft.id}
              definition={parsed.definition}
              isBusy={running !== undefined}
              job={sweep}
            />
          </>
        )}
        <section aria-labelledby="named">
          <SectionTitle id="named">Name</SectionTitle>
          <div className="mt-4 max-w-xl">
            <DraftName draft={draft} />
          </div>
        </section>
      </div>
    </>
  );
}

/** What it earned, what attacks leave of it, and the way on. */
function Tested({
  draft,
  ledger,
  isBusy,
  attack,
}: {
  draft: StrategyDraft;
  ledger: string;
  isBusy: boolean;
  attack: BacktestJob | undefined;
}) {
  return (
    <>
      <DraftEvidence draft={draft} ledger={ledger} />
      <AttackPanel draft={draft} ledger={ledger} isBusy={isBusy} job={attack} />
      <DeployOwn draft={draft} ledger={ledger} />
    </>
  );
}

function Rules({ draft }: { draft: StrategyDraft }) {
  const parsed = useMemo(() => parseDefinition(draft.definition), [draft.definition]);
  return (
    <section aria-labelledby="rules">
      <SectionTitle
        id="rules"
        note="The rules in plain words. Sizes and limits are targets; prices can jump past them."
      >
        The rules
      </SectionTitle>
      {parsed.ok ? (
        <dl className="mt-4 border-t">
          {describeDefinition(parsed.definition).map(({ title, text }) => (
            <div
              key={title}
              className="grid gap-x-8 gap-y-1 border-b py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)]"
            >
              <dt className="text-sm text-ink-faint">{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Notice tone="failure">The rules of this draft can no longer be read.</Notice>
      )}
    </section>
  );
}
