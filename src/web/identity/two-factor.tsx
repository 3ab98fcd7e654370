import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showCounted, showDate } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { EnterCode } from './enter-code.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';
import { useReloadSecurity, useSecondFactor, useSetUp } from './second-factor-queries.ts';

type Step = 'rest' | 'turn off' | 'new codes';

const FEW_CODES = 3;

/** A second factor: set up in three steps, turned off with a code. */
export function TwoFactor() {
  const factor = useSecondFactor();
  const reload = useReloadSecurity();
  const [step, setStep] = useState<Step>('rest');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const showCodes = (made: readonly string[]) => {
    setStep('rest');
    setCodes(made);
    void reload();
  };
  return (
    <section className="grid gap-4" aria-labelledby="two-factor">
      <SectionTitle
        id="two-factor"
        note="A code from an app on your phone, besides your password. A stolen password alone then opens nothing."
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
      {factor.data && !factor.data.is_on && codes === null && (
        <Off isRequired={factor.data.is_required} onEnabled={showCodes} />
      )}
      {factor.data?.is_on && codes === null && step === 'rest' && (
        <On since={factor.data.since} left={factor.data.backup_codes_left} onStep={setStep} />
      )}
      {step !== 'rest' && (
        <EnterCode
          purpose={step}
          onDone={(made) => {
            if (made !== null) return showCodes(made);
            setStep('rest');
            return void reload();
          }}
          onBack={() => setStep('rest')}
        />
      )}
    </section>
  );
}

function Off({
  isRequired,
  onEnabled,
}: {
  isRequired: boolean;
  onEnabled: (backupCodes: readonly string[]) => void;
}) {
  const setUp = useSetUp();
  return (
    <>
      {isRequired && (
        <Notice tone="caution" title="Staff need two-factor sign-in">
          Until you set it up, only your account settings answer you.
        </Notice>
      )}
      {setUp.isError && (
        <Notice tone="failure">{sentenceOf(setUp.error, 'It could not be set up. Please try again.')}</Notice>
      )}
      {setUp.data === undefined ? (
        <div>
          <Button busy={setUp.isPending} busyLabel="Please Wait..." onClick={() => setUp.mutate()}>
            Enable 2FA
          </Button>
        </div>
      ) : (
        <SetUpTwoFactor setup={setUp.data} onEnabled={onEnabled} onBack={() => setUp.reset()} />
      )}
    </>
  );
}

function On({ since, left, onStep }: { since: string | null; left: number; onStep: (step: Step) => void }) {
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <ShieldCheck className="size-5 text-brass" aria-hidden="true" />
        <span className="font-medium">On since {showDate(since)}</span>
        <span className="text-ink-soft">{showCounted(left, 'backup code')} left</span>
      </p>
      {left < FEW_CODES && (
        <Notice tone="caution">
          Make new backup codes soon: without your phone they are the only way in.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => onStep('new codes')}>
          New backup codes
        </Button>
        <Button variant="secondary" onClick={() => onStep('turn off')}>
          Turn off
        </Button>
      </div>
    </div>
  );
}
