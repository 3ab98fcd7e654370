import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { disconnectPolicyLabel } from '#rules/deployments/disconnect-policy-text.ts';
import { TRIPWIRE_CHOICE_LABELS } from '#rules/deployments/tripwire-text.ts';
import { fromMicro } from '#units/money.ts';
import { useHasProvider } from '../../../call/installation.ts';
import { DownloadAgreement } from '../../../agreements/download-agreement.tsx';
import { PlanCapNotice, usePlanCap } from '../../../billing/plan-cap.tsx';
import { accountTitle } from '../../../brokerage/account-title.ts';
import { plansQuery } from '../../../billing/plans-query.ts';
import { call } from '../../../call/call.ts';
import { CallError } from '../../../call/call-error.ts';
import { useSingleAttempt } from '../../../call/use-single-attempt.ts';
import { useSession } from '../../../call/session.tsx';
import { Notice } from '../../../kit/state/notice.tsx';
import { RiskScale } from '../../../kit/figure/risk-scale.tsx';
import { showMoney, showPercent, showWord } from '../../../kit/figure/show-figure.ts';
import { showToast } from '../../../kit/overlay/toast.ts';
import { StatRow } from '../../../kit/figure/stat-row.tsx';
import { isCut } from '../allocation-cut.ts';
import { StepButtons } from './step-buttons.tsx';
import { unsuitableReason } from './suitability-notice.tsx';
import type { Wizard } from '../wizard-state.ts';

export function ConfirmationStep({ wizard }: { wizard: Wizard }) {
  const { strategy, user, draft, amount, goBack } = wizard;
  const deploy = useDeploy(wizard);
  const beyondPlan = usePlanCap(amount.ok && !draft.isPractice ? amount.micro : null, wizard.strategy);
  const hasProvider = useHasProvider();
  return (
    <>
      <ChosenStrategy strategy={strategy} />
      <ChosenTerms wizard={wizard} />
      {user.is_agreement_signed && !draft.isPractice && (
        <div className="mt-6">
          <Notice
            tone="evidence"
            title={hasProvider ? 'Investment Agreement Signed' : 'Statement of Risks Signed'}
            action={<DownloadAgreement />}
          >
            The sealed document is kept with your account.
          </Notice>
        </div>
      )}
      {beyondPlan && !deploy.isSuccess && (
        <div className="mt-6">
          <PlanCapNotice sentence={beyondPlan} />
        </div>
      )}
      {deploy.isError && (
        <div className="mt-6">
          <Notice tone="failure" title="Failed to deploy strategy. Please try again.">
            {deploy.error instanceof CallError ? deploy.error.message : 'Nothing was deployed.'}
          </Notice>
        </div>
      )}
      <StepButtons
        onBack={goBack}
        next={{
          label: draft.isPractice ? 'Start Practising' : 'Deploy Strategy',
          busy: deploy.isPending || deploy.isSuccess,
          busyLabel: 'Deploying...',
          missing: missingForDeploy(wizard) ?? (deploy.isSuccess ? undefined : beyondPlan),
          onPress: () => deploy.mutate(),
        }}
      />
    </>
  );
}

function ChosenTerms({ wizard: { strategy, user, draft, amount, connection } }: { wizard: Wizard }) {
  const { max_allocation_per_trade: limit } = draft.settings;
  return (
    <dl className="mt-6">
      <PlaceOfOrders connection={connection} isPractice={draft.isPractice} />
      <StatRow label={draft.isPractice ? 'Practice money' : 'Investment'}>
        {amount.ok ? showMoney(fromMicro(amount.micro)) : amount.problem}
      </StatRow>
      <StatRow label="Stop Loss">{showPercent(draft.settings.stop_loss_percentage, { decimals: 0 })}</StatRow>
      <StatRow
        label="Max Allocation"
        note={isCut(strategy.position_sizes, limit) ? 'Below what the strategy uses' : undefined}
      >
        {showPercent(limit, { decimals: 0 })}
      </StatRow>
      <StatRow label="Freeze Threshold">
        {showPercent(draft.settings.freeze_on_drawdown, { decimals: 0 })}
      </StatRow>
      <StatRow label="If it does worse than its record">
        {TRIPWIRE_CHOICE_LABELS[draft.tripwireChoice]}
      </StatRow>
      {!draft.isPractice && (
        <StatRow label="If your broker does not respond">
          {disconnectPolicyLabel(draft.disconnectPolicy)}
        </StatRow>
      )}
      <StatRow label="Risk Tolerance">{showWord(user.risk_profile?.risk_tolerance)}</StatRow>
    </dl>
  );
}

function PlaceOfOrders({ connection, isPractice }: Pick<Wizard, 'connection'> & { isPractice: boolean }) {
  if (isPractice)
    return (
      <StatRow label="Money" note="No order reaches a broker">
        Practice
      </StatRow>
    );
  return (
    <StatRow label="Broker" note={connection?.account_id ? accountTitle(connection) : undefined}>
      {connection?.broker_name ?? 'Not connected'}
    </StatRow>
  );
}

function ChosenStrategy({ strategy }: Pick<Wizard, 'strategy'>) {
  return (
    <div className="flex items-start gap-4">
      <img
        src={strategy.thumbnail}
        alt=""
        width={96}
        height={64}
        className="h-16 w-24 shrink-0 rounded-control border object-cover"
      />
      <div className="min-w-0">
        <p className="font-medium">{strategy.name}</p>
        <p className="text-sm text-ink-soft">{strategy.shortDescription}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-3 text-sm text-ink-faint">
          {showWord(strategy.risk_level)} risk
          <RiskScale score={strategy.risk_score} compact />
        </p>
      </div>
    </div>
  );
}

function missingForDeploy(wizard: Wizard): string | undefined {
  if (wizard.draft.isPractice) return wizard.amount.ok ? unsuitableReason(wizard) : wizard.amount.problem;
  if (wizard.connection === null) return 'Connect a broker account first.';
  if (!wizard.amount.ok) return wizard.amount.problem;
  if (!wizard.user.is_agreement_signed) return 'Sign what the second step shows first.';
  return unsuitableReason(wizard);
}

function useDeploy({ strategy, draft, amount, connection, clearDraft }: Wizard) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const cache = useQueryClient();
  const { reloadUser } = useSession();
  const deployOnce = useSingleAttempt((_: void, idempotencyKey: string) => {
    if (!amount.ok) throw new Error('an amount is needed');
    const body = {
      strategy: strategy.id,
      investment_amount: fromMicro(amount.micro),
      ...draft.settings,
      disconnect_choice: draft.disconnectPolicy.choice,
      disconnect_minutes: draft.disconnectPolicy.minutes,
      tripwire_choice: draft.tripwireChoice,
    };
    if (draft.isPractice) return call('createPracticeDeployment', { body, idempotencyKey });
    if (connection === null) throw new Error('a broker connection is needed');
    return call('createDeployment', { body: { ...body, broker_connection: connection.id }, idempotencyKey });
  });
  return useMutation({
    mutationFn: () => deployOnce(),
    onSuccess: async (deployment) => {
      clearDraft();
      showToast({
        title: draft.isPractice
          ? 'Practice started'
          : deployment.awaits_capacity
            ? 'You are in the queue'
            : 'Strategy deployed',
        message: deployment.awaits_capacity
          ? `${strategy.name} is full: your money waits in its queue.`
          : `${strategy.name} starts trading at its next signal.`,
        type: 'success',
      });
      void cache.invalidateQueries({ queryKey: ['billing'] });
      await Promise.all([reloadUser(), cache.invalidateQueries({ queryKey: ['deployments'] })]);
      void navigate(`/deployed-strategies/${deployment.id}`, { state: { deploymentSuccess: true } });
    },
    onError: (error) => {
      if (error instanceof CallError && error.code === 'plan_limit') {
        void cache.invalidateQueries({ queryKey: ['billing'] });
        void navigate(plansQuery(search, true));
      }
    },
  });
}
