import { type ReactNode, useId, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { plansQuery } from '../billing/plans-query.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import type { BuilderInput } from '#rules/strategy-builder/builder-input.ts';
import { previewSentence } from '#rules/strategy-builder/preview-sentence.ts';
import type { Conversation, ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { aimsSentence } from '#rules/strategy-builder/strategy-size.ts';
import { Button } from '../kit/control/button.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { Surface } from '../kit/page/surface.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { AiBuilder } from '../strategy-builder/ai-builder.tsx';
import { type BuildRequest, useBuildStrategy } from '../strategy-builder/builder-queries.ts';
import { draftAddress } from '../strategy-builder/draft-address.ts';
import { DraftList } from '../strategy-builder/draft-list.tsx';
import { type BuilderForm, useKeptForm } from '../strategy-builder/kept-form.ts';
import { type Read, readingOf, useRead } from '../strategy-builder/kept-reading.ts';
import type { Pointed } from '../strategy-builder/marked-parts.ts';
import { RulesRead } from '../strategy-builder/rules-read.tsx';
import { readMinimum, UiBuilder } from '../strategy-builder/ui-builder.tsx';

const MODES = [
  { value: 'ui', label: 'UI Builder' },
  { value: 'ai', label: 'AI Builder' },
] as const;

export function CustomStrategies() {
  usePageTitle('Custom Strategies');
  const [form, change, forget] = useKeptForm();
  const build = useBuildStrategy();
  const navigate = useNavigate();
  const [pointed, point] = useState<string | null>(null);
  const conversation = useMemo(() => conversationOf(form), [form]);
  const read = useRead(conversation, form.reading);
  const request = requestOf(form, read);
  const changeForm = (part: Partial<BuilderForm>) => {
    build.reset();
    change(part);
  };
  const create = () =>
    request &&
    build.mutate(request, {
      onSuccess: ({ draft }) => {
        forget();
        void navigate(draftAddress(draft.id));
      },
    });
  return (
    <>
      <BackToMarketplace />
      <PageTitle lead="Describe what you want. It becomes a set of rules and is tested on past prices first.">
        Build your own strategy
      </PageTitle>
      <div className="mt-6">
        <SegmentedControl
          label="Builder"
          options={MODES}
          value={form.mode}
          onChange={(mode) => changeForm({ mode })}
        />
      </div>
      <div className="mt-8 grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-14">
        {form.mode === 'ui' ? (
          <UiBuilder form={form} change={changeForm} />
        ) : (
          <AiBuilder
            form={form}
            change={changeForm}
            read={read}
            error={unclear(build.error)}
            pointed={pointed}
            point={point}
          />
        )}
        <Preview
          problem={build.error}
          isReady={request !== null && (read === null || read.shown.outcome === 'ready')}
          isBusy={build.isPending || build.isSuccess}
          onCreate={create}
        >
          <WhatIsBuilt
            form={form}
            read={read?.shown ?? null}
            pointed={pointed}
            point={point}
            say={(text) => changeForm({ further: [...form.further, text] })}
          />
        </Preview>
      </div>
      <div className="mt-16">
        <DraftList />
      </div>
    </>
  );
}

function BackToMarketplace() {
  return (
    <p className="mb-4">
      <ButtonLink to="/marketplace" variant="secondary" size="small">
        Back to Marketplace
      </ButtonLink>
    </p>
  );
}

/** Null by controls. */
function conversationOf({ mode, description, further, answers }: BuilderForm): Conversation | null {
  return mode === 'ui' ? null : { messages: [description, ...further], answers };
}

function WhatIsBuilt({
  form,
  read,
  ...pointing
}: Pointed & { form: BuilderForm; read: ReadStrategy | null; say: (text: string) => void }) {
  if (form.mode === 'ui') return <ControlsPreview input={inputOf(form)} />;
  if (read === null) return <p className="text-ink-soft">The rules appear here as you write.</p>;
  return <RulesRead read={read} {...pointing} />;
}

function ControlsPreview({ input }: { input: BuilderInput | null }) {
  if (input === null) return <p className="text-ink-soft">Enter the minimum investment to see a preview.</p>;
  return (
    <>
      <p className="text-ink">{previewSentence(input)}</p>
      <p className="text-sm text-ink-soft">{aimsSentence(input)}</p>
      <p className="text-sm text-ink-soft">
        Other usual rules are tried on past prices too, and the ones that come nearest to your wishes are
        kept. You see every try, and each counts against the result.
      </p>
    </>
  );
}

function Preview({
  problem,
  isReady,
  isBusy,
  onCreate,
  children,
}: {
  problem: Error | null;
  isReady: boolean;
  isBusy: boolean;
  onCreate: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Surface aria-labelledby={id} className="lg:sticky lg:top-24">
      <h2 id={id} className="font-serif text-lg">
        What will be built
      </h2>
      <div aria-live="polite" className="mt-3 grid gap-3">
        {children}
      </div>
      {problem && unclear(problem) === null && (
        <div className="mt-4">
          <Problem problem={problem} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to="/marketplace" variant="secondary" size="large">
          Cancel
        </ButtonLink>
        <Button
          size="large"
          className="flex-1"
          disabled={!isReady}
          busy={isBusy}
          busyLabel="Creating Strategy..."
          onClick={onCreate}
        >
          Create Strategy
        </Button>
      </div>
    </Surface>
  );
}

function Problem({ problem }: { problem: Error }) {
  const { search } = useLocation();
  const isPlan = problem instanceof CallError && problem.code === 'plan_limit';
  return (
    <Notice
      tone={isPlan ? 'caution' : 'failure'}
      title={isPlan ? 'Your plan does not cover this' : 'The strategy was not created'}
      action={
        isPlan ? (
          <ButtonLink to={plansQuery(search, true)} size="small" variant="secondary">
            See plans
          </ButtonLink>
        ) : undefined
      }
    >
      {sentenceOf(problem, 'Nothing was lost. Please try again.')}
    </Notice>
  );
}

/** The service's message about a description that it does not understand, shown at the text. */
function unclear(error: Error | null): string | null {
  return error instanceof CallError && error.code === 'description_unclear' ? error.message : null;
}

function requestOf(form: BuilderForm, read: Read | null): BuildRequest | null {
  if (form.mode === 'ai') {
    const { description, further, answers } = form;
    const said = { description, further: [...further], answers: answers.map((one) => ({ ...one })) };
    return { mode: 'ai', ...said, ...readingOf(read) };
  }
  const input = inputOf(form);
  return (
    input && {
      mode: 'ui',
      asset_class: input.assetClass,
      risk_level: input.riskLevel,
      max_drawdown: input.maxDrawdown,
      target_return: input.targetReturn,
      minimum_investment: input.minimumInvestment,
    }
  );
}

function inputOf(form: BuilderForm): BuilderInput | null {
  const minimum = readMinimum(form.minimumText);
  if ('problem' in minimum) return null;
  const { assetClass, riskLevel, maxDrawdown, targetReturn } = form;
  return {
    assetClass,
    riskLevel,
    maxDrawdown,
    targetReturn,
    minimumInvestment: minimum.dollars,
  };
}
