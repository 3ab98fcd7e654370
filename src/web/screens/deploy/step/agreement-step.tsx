import { useEffect, useEffectEvent } from 'react';
import { AgreementChanges } from '../../../agreements/agreement-changes.tsx';
import { AgreementPoints } from '../../../agreements/agreement-points.tsx';
import { EligibilityForm } from '../../../agreements/eligibility-form.tsx';
import { SigningArea } from '../../../agreements/signing-area.tsx';
import { useSigning } from '../../../agreements/use-signing.ts';
import { useHasProvider } from '../../../call/installation.ts';
import { LoadingText } from '../../../kit/state/loading-text.tsx';
import { Notice } from '../../../kit/state/notice.tsx';
import { StepButtons } from './step-buttons.tsx';
import type { Wizard } from '../wizard-state.ts';
import { useSearchParams } from '../../../kit/page/use-search-params.ts';

export function AgreementStep({ wizard }: { wizard: Wizard }) {
  const { user, goBack, goTo } = wizard;
  const hasProvider = useHasProvider();
  const signing = useSigning(() => goTo('broker-selection'));
  useReturnFromSigning(signing.check);

  if (!user.is_eligible) return <EligibilityForm onBack={goBack} />;
  return (
    <>
      <p className="mb-6 text-ink-soft">
        {hasProvider
          ? 'Before we can trade for you, we need a written agreement on what we do, what it costs and what can go wrong.'
          : 'Before the software trades for you, sign a statement of what it does and what can go wrong.'}{' '}
        Please read it in full; signing takes a minute.
      </p>
      {user.agreement_change && <AgreementChanges change={user.agreement_change} />}
      <AgreementPoints />
      {signing.failure && (
        <div className="mt-6">
          <Notice tone="failure">{signing.failure}</Notice>
        </div>
      )}
      {signing.isOpen ? (
        <div className="mt-8">
          <SigningArea onClose={signing.close} onSessionEnd={signing.check} onFailure={signing.fail} />
          {signing.isChecking && <LoadingText>Checking your signature...</LoadingText>}
          <StepButtons onBack={goBack} />
        </div>
      ) : (
        <StepButtons
          onBack={goBack}
          next={{
            label: hasProvider ? 'Sign Agreement' : 'Sign Statement',
            busy: signing.isChecking,
            busyLabel: 'Checking...',
            onPress: signing.open,
          }}
        />
      )}
    </>
  );
}

/** A signing page that was not in a frame comes back with event=signing_complete; the service is asked whether so. */
function useReturnFromSigning(onReturn: () => void): void {
  const [params, setParams] = useSearchParams();
  const isReturn = params.get('event') === 'signing_complete';
  const tellReturn = useEffectEvent(onReturn);
  useEffect(() => {
    if (!isReturn) return;
    setParams(
      (kept) => {
        const next = new URLSearchParams(kept);
        next.delete('event');
        return next;
      },
      { replace: true },
    );
    tellReturn();
  }, [isReturn, setParams]);
}
