import { type ComponentType, useEffect, useRef } from 'react';
import type { StrategyDetail } from '#contract/strategies/strategies.ts';
import { useHasProvider } from '../../call/installation.ts';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { draftAddress } from '../../strategy-builder/draft-address.ts';
import { TextLink } from '../../kit/control/text-link.tsx';
import { AgreementStep } from './step/agreement-step.tsx';
import { BrokerConnectionStep } from './step/broker-connection-step.tsx';
import { BrokerSelectionStep } from './step/broker-selection-step.tsx';
import { ConfigurationStep } from './step/configuration-step.tsx';
import { ConfirmationStep } from './step/confirmation-step.tsx';
import { RiskStep } from './step/risk-step.tsx';
import { SoFar } from './step/so-far.tsx';
import { type Step, stepLabel } from './steps.ts';
import { useWizard, type Wizard } from './wizard-state.ts';
import { WizardProgress } from './wizard-progress.tsx';

/** One thought a step: left the step, right what it means so far. */
export function DeploymentWizard({ strategy }: { strategy: StrategyDetail }) {
  const wizard = useWizard(strategy);
  const hasProvider = useHasProvider();
  const { step } = wizard;
  const heading = useRef<HTMLHeadingElement>(null);
  useBeginningOfStep(heading, step);
  const StepBody = STEP_BODIES[step];
  return (
    <>
      <p className="mb-4 text-sm">
        <TextLink to={`/strategy/${strategy.id}`}>Back to {strategy.name}</TextLink>
      </p>
      <PageTitle>
        {wizard.draft.isPractice ? 'Practise' : 'Deploy'} {strategy.name}
      </PageTitle>
      {strategy.practice_first_note !== null && (
        <div className="mt-6">
          <Notice tone="caution" title="Practice first">
            {strategy.practice_first_note} <TextLink to={draftAddress(strategy.id)}>Open the rules</TextLink>
          </Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        {strategy.practice_first_note === null && (
          <SegmentedControl
            label="Money"
            value={wizard.draft.isPractice ? 'practice' : 'real'}
            onChange={(money) => wizard.change({ isPractice: money === 'practice' })}
            options={[
              { value: 'real', label: 'Your account' },
              { value: 'practice', label: 'Practice' },
            ]}
          />
        )}
        <p className="text-sm text-ink-soft">
          {wizard.draft.isPractice
            ? `Practice money on market prices: no broker, no signature${hasProvider ? ', no fee' : ''}.`
            : 'In your own account, at your own broker.'}
        </p>
      </div>
      <WizardProgress wizard={wizard} />
      <div className="mt-8 grid gap-10 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-14">
        <section aria-labelledby="step" className="min-w-0">
          <h2 id="step" ref={heading} tabIndex={-1} className="mb-5 font-serif text-xl outline-none">
            {stepLabel(step, hasProvider)}
          </h2>
          <StepBody wizard={wizard} />
        </section>
        <SoFar wizard={wizard} />
      </div>
    </>
  );
}

const STEP_BODIES: Readonly<Record<Step, ComponentType<{ wizard: Wizard }>>> = {
  'risk-assessment': RiskStep,
  agreement: AgreementStep,
  'broker-selection': BrokerSelectionStep,
  'broker-connection': BrokerConnectionStep,
  configuration: ConfigurationStep,
  confirmation: ConfirmationStep,
};

/** A new step begins at the top of the page, for the eye and for the screen reader. */
function useBeginningOfStep(heading: { current: HTMLElement | null }, step: Step): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [heading, step]);
}
