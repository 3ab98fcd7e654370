import type { User } from '#contract/identity.ts';
import { useUser } from '../call/session.tsx';
import { showDate } from '../kit/figure/show-figure.ts';
import { Button } from '../kit/control/button.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { SigningArea } from './signing-area.tsx';
import { useSigning } from './use-signing.ts';

type Change = NonNullable<User['agreement_change']>;

/** What is new in the newest version, for a person who signed an older one. */
export function AgreementChanges({ change }: { change: Change }) {
  if (change.changes.length === 0) return null;
  return (
    <section aria-labelledby="agreement-changes" className="mb-8 grid gap-2">
      <h3 id="agreement-changes" className="text-sm font-medium">
        What is new since the version that you signed
      </h3>
      <ChangeList change={change} />
    </section>
  );
}

/** Asks whoever signed an older version for the newest, and says what holds until then. */
export function AgreementNotice() {
  const { agreement_change: change } = useUser();
  const signing = useSigning(() => undefined);
  if (change === null) return null;
  const { is_over: isOver } = change;
  return (
    <div className="grid gap-4">
      <Notice
        tone="caution"
        title={
          isOver ? 'Nothing new is opened: sign the new agreement' : 'The investment agreement has changed'
        }
        action={
          !signing.isOpen && (
            <Button size="small" busy={signing.isChecking} busyLabel="Checking..." onClick={signing.open}>
              Read and sign
            </Button>
          )
        }
      >
        <p>{untilThen(change.sign_by, isOver)}</p>
        {change.changes.length > 0 && (
          <details className="mt-2">
            <summary className="w-fit cursor-pointer rounded-control text-ink">What is new in it</summary>
            <div className="mt-2">
              <ChangeList change={change} />
            </div>
          </details>
        )}
      </Notice>
      {signing.failure !== null && <Notice tone="failure">{signing.failure}</Notice>}
      {signing.isOpen && (
        <SigningArea onClose={signing.close} onSessionEnd={signing.check} onFailure={signing.fail} />
      )}
      {signing.isChecking && <LoadingText>Checking your signature...</LoadingText>}
    </div>
  );
}

function ChangeList({ change }: { change: Change }) {
  return (
    <ul className="grid list-disc gap-1 pl-5 text-sm text-ink-soft">
      {change.changes.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function untilThen(signBy: string | null, isOver: boolean): string {
  if (isOver)
    return 'What you hold is protected and closed as before. To open anything new, sign the new wording.';
  const held = 'What you signed holds for the deployments that run.';
  if (signBy === null) return `${held} Sign the new wording to start, resume or promote a deployment.`;
  return `${held} From ${showDate(signBy)} on we open nothing new until you sign.`;
}
