import { useCallback, useEffect } from 'react';
import type { BrokerConnection } from '#contract/brokerage.ts';
import type { User } from '#contract/identity.ts';
import type { StrategyDetail } from '#contract/strategies/strategies.ts';
import { toMicro } from '#units/money.ts';
import { useUser } from '../../call/session.tsx';
import { readKeptTerms, usualTerms } from '../../rehearsal/kept-terms.ts';
import { type Amount, readAmount } from '../../rehearsal/read-amount.ts';
import { type ChangeDraft, type Draft, useDraft } from './draft.ts';
import { type Progress, reachableStep, type Step, stepAfter, stepBefore } from './steps.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';

export type Wizard = {
  readonly strategy: StrategyDetail;
  readonly user: User;
  readonly draft: Draft;
  readonly change: ChangeDraft;
  readonly clearDraft: () => void;
  readonly amount: Amount;
  /** The connected account that was chosen; null while there is none. */
  readonly connection: BrokerConnection | null;
  readonly progress: Progress;
  readonly step: Step;
  readonly goTo: (step: Step) => void;
  readonly goBack: () => void;
  readonly goOn: () => void;
};

/** The wizard's current step. It is in the address, so that the browser's own back button works. */
export function useWizard(strategy: StrategyDetail): Wizard {
  const user = useUser();
  const [kept, change, clearDraft] = useDraft(`${user.id}:${strategy.id}`, {
    ...(readKeptTerms(strategy.id) ?? usualTerms(strategy)),
    brokerId: connectedBroker(user),
  });
  const draft = strategy.practice_first_note === null ? kept : { ...kept, isPractice: true };
  const [params, setParams] = useSearchParams();
  const amount = readAmount(draft.amountText, toMicro(strategy.min_investment));
  const connection = findConnection(user, draft.connectionId);
  const progress: Progress = {
    hasProfile: user.risk_profile !== null,
    isSigned: user.is_agreement_signed,
    isConnected: connection !== null,
    isConfigured: amount.ok,
    isPractice: draft.isPractice,
  };
  const asked = params.get('step');
  const step = reachableStep(asked, progress);

  // The first step stays where it was begun, though what is done changes under way.
  useEffect(() => {
    if (asked !== step) setParams((kept) => withStep(kept, step), { replace: true });
  }, [asked, step, setParams]);

  const goTo = useCallback((next: Step) => setParams((kept) => withStep(kept, next)), [setParams]);
  return {
    strategy,
    user,
    draft,
    change,
    clearDraft,
    amount,
    connection,
    progress,
    step,
    goTo,
    goBack: () => goTo(stepBefore(step, progress)),
    goOn: () => goTo(stepAfter(step, progress)),
  };
}

function withStep(params: URLSearchParams, step: Step): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set('step', step);
  return next;
}

/** Of the account that orders go to by default; null while none is connected. */
function connectedBroker(user: User): string | null {
  const active = user.broker_connections.filter(({ connection_status: status }) => status === 'active');
  return (active.find(({ is_primary: isPrimary }) => isPrimary) ?? active[0])?.broker ?? null;
}

function findConnection(user: User, id: string | null): BrokerConnection | null {
  return (
    user.broker_connections.find(
      (connection) => connection.id === id && connection.connection_status === 'active',
    ) ?? null
  );
}
