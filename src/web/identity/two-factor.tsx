import { LifeBuoy, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showCounted, showDate } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { EnterCode } from './enter-code.tsx';
import { usePasskeys } from './passkey-queries.ts';
import { AddPasskey, PasskeyRow } from './passkeys.tsx';
import { SecurityRow } from './security-row.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';
import { useReloadSecurity, useSecondFactor, useSetUp } from './second-factor-queries.ts';

type Factor = Answer<EveryEndpoint['getSecondFactor']>;
type Step = 'rest' | 'turn off' | 'new codes';

const FEW_CODES = 3;

/** A second factor: an app that is set up in three steps, passkeys, or both; with backup codes for the day without either. */
export function TwoFactor() {
  const factor = useSecondFactor();
  const reload = useReloadSecurity();
  const [step, setStep] = useState<Step>('rest');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const showCodes = (made: readonly string[] | null) => {
    setStep('rest');
    setCodes(made);
    void reload();
  };
  return (
    <section className="grid gap-4" aria-labelledby="two-factor">
      <SectionTitle
        id="two-factor"
        note="A passkey of your device or a code from an app, besides your password. A stolen password alone then opens nothing."
      >
        Two-factor sign-in
      </SectionTitle>
      {factor.isPending && <Skeleton className="h-24" />}
      {factor.isError && (
        <ErrorState
          title="Your two-factor sign-in could not be loaded"
          onRetry={() => void factor.refetch()}
        />
      )}
      {codes && <BackupCodes codes={codes} onKept={() => setCodes(null)} />}
      {factor.data && codes === null && step === 'rest' && (
        <Kinds factor={factor.data} onStep={setStep} onCodes={showCodes} />
      )}
      {step !== 'rest' && (
        <EnterCode
          purpose={step}
          hasPasskey={(factor.data?.passkeys ?? 0) > 0}
          onDone={showCodes}
          onBack={() => setStep('rest')}
        />
      )}
    </section>
  );
}

function Kinds({
  factor,
  onStep,
  onCodes,
}: {
  factor: Factor;
  onStep: (step: Step) => void;
  onCodes: (backupCodes: readonly string[] | null) => void;
}) {
  const setUp = useSetUp();
  const passkeys = usePasskeys();
  const { is_on: isOn, app_since: appSince, backup_codes_left: left } = factor;
  if (setUp.data !== undefined && appSince === null)
    return <SetUpTwoFactor setup={setUp.data} onEnabled={onCodes} onBack={() => setUp.reset()} />;
  return (
    <>
      {factor.is_required && !isOn && (
        <Notice tone="caution" title="Staff need two-factor sign-in">
          Until you set up one of both, only your account settings answer you.
        </Notice>
      )}
      {setUp.isError && (
        <Notice tone="failure">{sentenceOf(setUp.error, 'It could not be set up. Please try again.')}</Notice>
      )}
      {passkeys.isError && (
        <ErrorState title="Your passkeys could not be loaded" onRetry={() => void passkeys.refetch()} />
      )}
      {isOn && left < FEW_CODES && (
        <Notice tone="caution">
          Make new backup codes soon: without your phone or passkey they are the only way in.
        </Notice>
      )}
      <ul>
        <AppRow
          factor={factor}
          busy={setUp.isPending}
          onSetUp={() => setUp.mutate()}
          onTurnOff={() => onStep('turn off')}
        />
        {passkeys.data?.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            isLast={appSince === null && passkeys.data.length === 1}
          />
        ))}
        {isOn && (
          <SecurityRow
            icon={LifeBuoy}
            title="Backup codes"
            state={`${showCounted(left, 'backup code')} left`}
          >
            <Button variant="secondary" size="small" onClick={() => onStep('new codes')}>
              New backup codes
            </Button>
          </SecurityRow>
        )}
      </ul>
      <AddPasskey isTaken={factor.takes_passkeys} onAdded={onCodes} />
    </>
  );
}

function AppRow({
  factor: { is_on: isOn, app_since: since },
  busy,
  onSetUp,
  onTurnOff,
}: {
  factor: Factor;
  busy: boolean;
  onSetUp: () => void;
  onTurnOff: () => void;
}) {
  return (
    <SecurityRow
      icon={Smartphone}
      title="Authenticator app"
      state={since === null ? 'Off' : `On since ${showDate(since)}`}
    >
      {since === null ? (
        <Button
          size="small"
          variant={isOn ? 'secondary' : 'primary'}
          busy={busy}
          busyLabel="Please Wait..."
          onClick={onSetUp}
        >
          Enable 2FA
        </Button>
      ) : (
        <Button variant="secondary" size="small" onClick={onTurnOff}>
          Turn off
        </Button>
      )}
    </SecurityRow>
  );
}
