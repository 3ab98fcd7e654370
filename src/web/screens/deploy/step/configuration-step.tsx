import { useMemo } from 'react';
import { type DeploymentSetting, WIZARD_RANGES } from '#rules/deployments/setting-ranges.ts';
import { fallbackSentence } from '#rules/strategies/decider-words.ts';
import { fromMicro } from '#units/money.ts';
import { useHasProvider } from '../../../call/installation.ts';
import { PlanCapNotice, usePlanCap } from '../../../billing/plan-cap.tsx';
import { Button } from '../../../kit/control/button.tsx';
import { AmountField } from '../../../kit/control/amount-field.tsx';
import { Hypothetical } from '../../../kit/figure/hypothetical.tsx';
import { SectionTitle } from '../../../kit/page/section-title.tsx';
import { LimitSliders } from '../../../rehearsal/limit-sliders.tsx';
import { RehearsalResult } from '../../../rehearsal/rehearsal-result.tsx';
import { rehearsalTerms } from '../../../rehearsal/rehearsal-terms.ts';
import { useRehearsal } from '../../../rehearsal/use-rehearsal.ts';
import { Notice } from '../../../kit/state/notice.tsx';
import { showMoney, showPercent } from '../../../kit/figure/show-figure.ts';
import { DisconnectPolicyField } from '../../../deployments/disconnect-policy-field.tsx';
import { TripwireField } from '../../../expectation/tripwire-field.tsx';
import { CapacityNotice } from '../../../strategies/capacity.tsx';
import { allocationCut } from '../allocation-cut.ts';
import { StepButtons } from './step-buttons.tsx';
import { SuitabilityNotice, unsuitableReason } from './suitability-notice.tsx';
import type { Wizard } from '../wizard-state.ts';

export function ConfigurationStep({ wizard }: { wizard: Wizard }) {
  const { strategy, draft, change, amount, goBack, goOn } = wizard;
  const beyondPlan = usePlanCap(amount.ok && !draft.isPractice ? amount.micro : null, strategy);
  const { max_allocation_per_trade: limit } = draft.settings;
  const cut = allocationCut(strategy.position_sizes, limit, WIZARD_RANGES.max_allocation_per_trade.max);
  const set = (setting: DeploymentSetting, value: number) =>
    change({ settings: { ...draft.settings, [setting]: value } });
  const choose = (disconnectPolicy: typeof draft.disconnectPolicy) => change({ disconnectPolicy });
  return (
    <>
      <div className="grid gap-8">
        <Amount wizard={wizard} />
        {!draft.isPractice && (
          <CapacityNotice strategy={strategy} amount={amount.ok ? fromMicro(amount.micro) : null} />
        )}
        <LimitSliders
          settings={draft.settings}
          onChange={(settings) => change({ settings })}
          words={WORDS}
          below={{
            max_allocation_per_trade: (
              <CutNotice cut={cut} onAllow={(value) => set('max_allocation_per_trade', value)} />
            ),
          }}
        />
        <TripwireField
          value={draft.tripwireChoice}
          onChange={(tripwireChoice) => change({ tripwireChoice })}
        />
        {!draft.isPractice && <DisconnectPolicyField value={draft.disconnectPolicy} onChange={choose} />}
        {strategy.decider && (
          <Notice>
            {fallbackSentence({
              model: strategy.decider.model,
              withoutAnswer: strategy.decider.without_answer,
            })}
          </Notice>
        )}
        <InThePast wizard={wizard} />
        <SuitabilityNotice wizard={wizard} />
        {beyondPlan && <PlanCapNotice sentence={beyondPlan} />}
      </div>
      <StepButtons
        onBack={goBack}
        next={{
          label: 'Review Deployment',
          missing: amount.ok ? (unsuitableReason(wizard) ?? beyondPlan) : amount.problem,
          onPress: goOn,
        }}
      />
    </>
  );
}

/** The limit makes positions smaller than the strategy asks for. */
function CutNotice({
  cut,
  onAllow,
}: {
  cut: ReturnType<typeof allocationCut>;
  onAllow: (percent: number) => void;
}) {
  if (!cut) return null;
  const { suffices, sentence } = cut;
  return (
    <Notice
      tone="caution"
      action={
        suffices !== null && (
          <Button variant="secondary" onClick={() => onAllow(suffices)}>
            Allow {showPercent(suffices, { decimals: 0 })}
          </Button>
        )
      }
    >
      {sentence}
    </Notice>
  );
}

/** The strategy's history with these terms. */
function InThePast({ wizard: { strategy, draft, amount } }: { wizard: Wizard }) {
  const feePercent = useHasProvider() && !draft.isPractice ? strategy.fees : 0;
  const micro = amount.ok ? amount.micro : null;
  const { settings } = draft;
  const terms = useMemo(
    () =>
      micro === null ? null : rehearsalTerms({ amount: micro, settings, feePercent, takesFractions: false }),
    [micro, settings, feePercent],
  );
  const state = useRehearsal(strategy, terms, true);
  return (
    <section aria-labelledby="in-the-past" className="border-t pt-8">
      <div className="mb-6">
        <SectionTitle
          id="in-the-past"
          note="Its history again with this amount and these limits."
          aside={<Hypothetical />}
        >
          Rehearsal
        </SectionTitle>
      </div>
      <RehearsalResult strategy={strategy} state={state} />
    </section>
  );
}

function Amount({ wizard: { strategy, draft, change, amount } }: { wizard: Wizard }) {
  return (
    <AmountField
      label={draft.isPractice ? 'Practice money' : 'Investment Amount'}
      hint={`Minimum: ${showMoney(strategy.min_investment, { cents: 'auto' })}`}
      error={amount.ok ? null : amount.problem}
      min={strategy.min_investment}
      value={draft.amountText}
      onChange={(amountText) => change({ amountText })}
      className="max-w-60"
    />
  );
}

const WORDS: Readonly<Record<DeploymentSetting, { readonly label: string; readonly hint: string }>> = {
  stop_loss_percentage: {
    label: 'Stop Loss',
    hint: 'A position that has lost this much from its average cost is sold at the next opportunity.',
  },
  max_allocation_per_trade: {
    label: 'Max Allocation',
    hint: 'No trade builds a position larger than this share of the deployment.',
  },
  freeze_on_drawdown: {
    label: 'Freeze Threshold',
    hint: 'When the deployment falls this far from its highest value, trading freezes: no new positions are opened until you resume trading.',
  },
};
