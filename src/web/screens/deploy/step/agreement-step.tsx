import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { AgreementPoints } from '../../../agreements/agreement-points.tsx';
import { EligibilityForm } from '../../../agreements/eligibility-form.tsx';
import { SigningArea } from '../../../agreements/signing-area.tsx';
import { call } from '../../../call/call.ts';
import { useHasProvider } from '../../../call/installation.ts';
import { useSession } from '../../../call/session.tsx';
import { LoadingText } from '../../../kit/state/loading-text.tsx';
import { Notice } from '../../../kit/state/notice.tsx';
import { StepButtons } from './step-buttons.tsx';
import type { Wizard } from '../wizard-state.ts';
import { useSearchParams } from '../../../kit/page/use-search-params.ts';

export function AgreementStep({ wizard }: { wizard: Wizard }) {
  const { user, goBack, goTo } = wizard;
  const hasProvider = useHasProvider();
  const [isSigning, setSigning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { reloadUser } = useSession();
  const confirm = useMutation({
    mutationFn: async () => {
      const { status } = await call('getAgreementStatus');
      if (status) await reloadUser();
      return status;
    },
    onSuccess: (isSigned) => {
      setSigning(false);
      if (isSigned) goTo('broker-selection');
      else setFailure('We have not received your signature. Please sign again.');
    },
    onError: () => {
      setSigning(false);
      setFailure('Failed to load agreement. Please try again.');
    },
  });
  useReturnFromSigning(() => confirm.mutate());

  if (!user.is_eligible) return <EligibilityForm onBack={goBack} />;
  return (
    <>
      <p className="mb-6 text-ink-soft">
        {hasProvider
          ? 'Before we can trade for you, we need a written agreement on what we do, what it costs and what can go wrong.'
          : 'Before the software trades for you, sign a statement of what it does and what can go wrong.'}{' '}
        Please read it in full; signing takes a minute.
      </p>
      <AgreementPoints />
      {failure && (
        <div className="mt-6">
          <Notice tone="failure">{failure}</Notice>
        </div>
      )}
      {isSigning ? (
        <div className="mt-8">
          <SigningArea
            onClose={() => setSigning(false)}
            onSessionEnd={() => confirm.mutate()}
            onFailure={(message) => {
              setSigning(false);
              setFailure(message);
            }}
          />
          {confirm.isPending && <LoadingText>Checking your signature...</LoadingText>}
          <StepButtons onBack={goBack} />
        </div>
      ) : (
        <StepButtons
          onBack={goBack}
          next={{
            label: hasProvider ? 'Sign Agreement' : 'Sign Statement',
            busy: confirm.isPending,
            busyLabel: 'Checking...',
            onPress: () => {
              setFailure(null);
              setSigning(true);
            },
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
