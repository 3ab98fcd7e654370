import type { ReactNode } from 'react';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { Tabs } from '../../kit/control/tabs.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { EvidencePanel } from '../../strategies/evidence/evidence-panel.tsx';
import { ReturnPanels } from '../../strategies/strategy-panels.tsx';
import { AttackPanel } from '../../strategy-builder/attack-panel.tsx';
import { useDraftResult, useDraftWords } from '../../strategy-builder/builder-queries.ts';
import { describeDefinition } from '../../strategy-builder/describe-definition.ts';
import { DraftConversation } from '../../strategy-builder/draft-conversation.tsx';
import { DraftName } from '../../strategy-builder/draft-name.tsx';
import type { DraftState } from '../../strategy-builder/draft-state.ts';
import { FineTuning } from '../../strategy-builder/fine-tuning.tsx';
import { SearchResultPanel } from '../../strategy-builder/search-result-panel.tsx';
import { RuleEditor } from '../../strategy-builder/rule-editor.tsx';
import { WholeEditor } from '../../strategy-builder/whole-editor.tsx';
import { VersionList } from '../../strategy-builder/version-list.tsx';
import { SweepPanel } from '../../strategy-builder/sweep-panel.tsx';
import { DeployOwn } from './deploy-own.tsx';
import { type DraftTab, TABS_ID, useDraftTab } from './draft-tab.ts';
import { NextStep } from './next-step.tsx';

type Part = {
  readonly state: DraftState;
  /** Null where it can no longer be read. */
  readonly definition: StrategyDefinition | null;
};

/** Everything that can be done with a draft, and all that was found about it. */
export function DraftTabs(part: Part) {
  const [tab, openTab] = useDraftTab();
  const words = useDraftWords(part.state.draft.id);
  const hasWords = words.isError || (words.data?.length ?? 0) > 0;
  const tabs = tabsOf(part, hasWords);
  return (
    <div id={TABS_ID} className="min-w-0 scroll-mt-16">
      <Tabs
        label="Your strategy"
        tabs={tabs}
        value={tabs.some(({ value }) => value === tab) ? tab : 'rules'}
        onChange={(next) => openTab(next as DraftTab)}
        aside={
          <span className="max-sm:hidden">
            <NextStep state={part.state} size="small" />
          </span>
        }
      />
    </div>
  );
}

function tabsOf(
  { state, definition }: Part,
  hasWords: boolean,
): readonly { value: DraftTab; label: string; content: ReactNode }[] {
  const { draft, running } = state;
  const isBusy = running !== undefined;
  return [
    { value: 'rules', label: 'Rules', content: <RulesTab state={state} definition={definition} /> },
    ...(hasWords
      ? [
          {
            value: 'words' as const,
            label: 'Conversation',
            content: <DraftConversation draft={draft} isBusy={isBusy} />,
          },
        ]
      : []),
    { value: 'evidence', label: 'Evidence', content: <EvidenceTab state={state} /> },
    { value: 'sweep', label: 'Sweep', content: <SweepTab state={state} definition={definition} /> },
    {
      value: 'attack',
      label: 'Attack',
      content: <Tested state={state}>{() => <AttackTab state={state} isBusy={isBusy} />}</Tested>,
    },
    {
      value: 'deploy',
      label: 'Practise and deploy',
      content: <Tested state={state}>{() => <DeployOwn draft={draft} ledger={state.ledger} />}</Tested>,
    },
    { value: 'versions', label: 'Versions', content: <VersionList state={state} /> },
  ];
}

function RulesTab({ state: { draft, running }, definition }: Part) {
  return (
    <div className="grid gap-12">
      <section aria-labelledby="rules">
        <SectionTitle
          id="rules"
          note="The rules in plain words. Sizes and limits are targets; prices can jump past them."
        >
          The rules
        </SectionTitle>
        {definition === null ? (
          <Notice tone="failure">The rules of this draft can no longer be read.</Notice>
        ) : (
          <dl className="mt-4 border-t">
            {describeDefinition(definition).map(({ title, text }) => (
              <div
                key={title}
                className="grid gap-x-8 gap-y-1 border-b py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)]"
              >
                <dt className="text-sm text-ink-faint">{title}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      {definition && (
        <RuleEditor
          key={`rule ${draft.version_id}`}
          draft={draft}
          definition={definition}
          isBusy={running !== undefined}
        />
      )}
      {definition && (
        <WholeEditor
          key={`whole ${draft.version_id}`}
          draft={draft}
          definition={definition}
          isBusy={running !== undefined}
        />
      )}
      {definition && (
        <FineTuning
          key={draft.version_id}
          strategyId={draft.id}
          definition={definition}
          isTraded={draft.is_traded}
          isBusy={running !== undefined}
        />
      )}
      <section aria-labelledby="named" className="max-w-xl">
        <SectionTitle id="named">Name</SectionTitle>
        <div className="mt-4">
          <DraftName draft={draft} />
        </div>
      </section>
    </div>
  );
}

function EvidenceTab({ state }: { state: DraftState }) {
  const { data: strategy } = useDraftResult(state.draft, state.ledger, state.isTested);
  return (
    <Tested state={state}>
      {() =>
        strategy ? (
          <div className="grid gap-12">
            <EvidencePanel evidence={strategy.evidence} />
            <ReturnPanels strategy={strategy} />
          </div>
        ) : (
          <Skeleton className="h-96" />
        )
      }
    </Tested>
  );
}

function SweepTab({ state: { draft, search, running, sweep }, definition }: Part) {
  return (
    <div className="grid gap-12">
      {search && <SearchResultPanel search={search} />}
      {definition && (
        <SweepPanel
          strategyId={draft.id}
          definition={definition}
          isBusy={running !== undefined}
          job={sweep}
        />
      )}
    </div>
  );
}

function AttackTab({ state: { draft, ledger, attack }, isBusy }: { state: DraftState; isBusy: boolean }) {
  return <AttackPanel draft={draft} ledger={ledger} isBusy={isBusy} job={attack} />;
}

/** Shown once there is a result to look at. */
function Tested({ state: { isTested }, children }: { state: DraftState; children: () => ReactNode }) {
  return isTested ? (
    children()
  ) : (
    <EmptyState title="Not tested yet">A backtest of these rules comes first.</EmptyState>
  );
}
