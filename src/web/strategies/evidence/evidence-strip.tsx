import { Fingerprint, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { EvidencePart, Verification } from '#engine/evidence/verify-passport.ts';
import { addressOf } from '../../call/call.ts';
import { openFile } from '../../call/open-file.ts';
import { useSession } from '../../call/session.tsx';
import { Button } from '../../kit/control/button.tsx';
import { showAsOf, showNumber } from '../../kit/figure/show-figure.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { WORLD_WORDS } from './evidence-words.ts';
import type { VerifyAnswer } from './verify-messages.ts';
import { verifyResult } from './verify-result.ts';

const SHOWN_DIGITS = 12;

const PART_NAMES: Readonly<Record<EvidencePart, string>> = {
  engine: 'Engine',
  definition: 'Rules',
  data: 'Prices',
  costs: 'Costs',
  result: 'Result',
  model: 'Model',
  passport: 'Passport',
};

/** The passport of a published result, and the button that runs the result again in the visitor's browser. */
export function EvidenceStrip({ strategy }: { strategy: Strategy }) {
  const [answer, setAnswer] = useState<VerifyAnswer | null>(null);
  const [busy, setBusy] = useState(false);
  const { evidence } = strategy;
  const path = { params: { id: strategy.id } };
  const verify = async () => {
    setBusy(true);
    setAnswer(
      await verifyResult({
        passportUrl: addressOf('getStrategyEvidence', path),
        barsUrl: addressOf('getStrategyEvidenceData', path),
      }),
    );
    setBusy(false);
  };
  return (
    <section aria-label="Evidence passport" className="rounded-surface bg-brass-wash px-5 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2">
        <span className="inline-flex items-center gap-2 font-medium text-brass">
          <Fingerprint className="size-4" aria-hidden="true" />
          Evidence passport
        </span>
        <span className="text-ink-soft">{WORLD_WORDS[evidence.world]}</span>
        <span className="text-ink-soft">Version {evidence.version}</span>
        <span className="text-ink-soft">
          Input <Hash value={evidence.input_hash} />
        </span>
        <span className="text-ink-soft">
          Result <Hash value={evidence.result_hash} />
        </span>
        <span className="figures text-ink-soft">{showAsOf(strategy.as_of)}</span>
        <DownloadPassport path={path} />
        <Button
          variant="secondary"
          size="small"
          busy={busy}
          busyLabel="Re-running…"
          onClick={() => void verify()}
        >
          Verify
        </Button>
      </div>
      <div role="status">{answer && <Outcome answer={answer} />}</div>
    </section>
  );
}

function Outcome({ answer }: { answer: VerifyAnswer }) {
  if (!answer.ok) return <p className="mt-3 border-t pt-3 text-loss">{answer.message}</p>;
  const { verified, parts } = answer.verification;
  const Icon = verified ? ShieldCheck : TriangleAlert;
  return (
    <div className="mt-3 border-t pt-3">
      <p className="flex items-center gap-2 text-ink">
        <Icon
          className={verified ? 'size-4 shrink-0 text-brass' : 'size-4 shrink-0 text-caution'}
          aria-hidden="true"
        />
        {outcomeOf(answer.verification, answer.seconds)}
      </p>
      <ul className="mt-2 grid gap-1.5">
        {parts.map((part) => (
          <li key={part.part} className="flex flex-wrap items-baseline gap-x-3 text-ink-soft">
            <span className="w-16">{PART_NAMES[part.part]}</span>
            <Hash value={part.stated} />
            <span className={part.agrees ? 'text-ink-soft' : 'text-caution'}>
              {part.agrees ? 'agrees' : (part.reason ?? 'differs')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function outcomeOf({ verified, parts }: Verification, seconds: number): string {
  if (verified) {
    return `Verified: your browser re-ran it in ${showNumber(seconds, 1)} s and got the same result, figure by figure.`;
  }
  const onlyEngine = parts.every((part) => part.agrees || part.part === 'engine');
  return onlyEngine
    ? 'Not verified: the result matches, but it was made by a different engine version. Reload the page and try again.'
    : 'Not verified: your browser’s result differs from the published one.';
}

function Hash({ value }: { value: string }) {
  return (
    <code className="font-mono text-xs text-brass" title={value}>
      {value.slice(0, SHOWN_DIGITS)}
    </code>
  );
}

/** Whoever is signed in uses a link that works once, which says who asks. */
function DownloadPassport({ path }: { path: { params: { id: string } } }) {
  const { user } = useSession();
  const download = () =>
    openFile('getStrategyEvidence', path).catch(() =>
      showToast({ type: 'error', title: 'The passport was not downloaded. Please try again.' }),
    );
  return (
    <a
      href={addressOf('getStrategyEvidence', path)}
      download
      className="ml-auto text-accent hover:underline"
      onClick={(event) => {
        if (user === null) return;
        event.preventDefault();
        void download();
      }}
    >
      Download
    </a>
  );
}
