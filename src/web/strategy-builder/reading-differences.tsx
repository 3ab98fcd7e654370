import type { Decision, JudgedProposal } from '#rules/strategy-builder/proposal/judge-proposal.ts';
import { Button } from '../kit/control/button.tsx';

type Differences = Extract<JudgedProposal, { outcome: 'asks' | 'ready' }>['differences'];

/** Where the two readings differ: both are shown, and the person says which is meant. */
export function ReadingDifferences({
  messages,
  differences,
  clash,
  decide,
}: {
  messages: readonly string[];
  differences: Differences;
  clash: string | null;
  decide: (decision: Decision) => void;
}) {
  return (
    <div aria-live="polite" className="grid gap-4">
      {differences.map(({ id, spans, heard, proposed, taken, canTakeHeard }) => (
        <div
          key={id}
          className={`rounded-surface p-4 text-sm ${taken === null ? 'bg-caution-wash' : 'border'}`}
        >
          <p className="text-ink">Which is meant?</p>
          <p className="mt-1 text-ink-soft">
            {spans.map(({ message, from, to }) => (
              <q key={`${message} ${from}`} className="mr-2">
                {messages[message]?.slice(from, to)}
              </q>
            ))}
          </p>
          <dl className="mt-2 grid gap-1">
            <Reading who="The grammar" text={heard} />
            <Reading who="The model" text={proposed} />
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            {canTakeHeard && (
              <Button
                size="small"
                variant={taken === 'heard' ? 'primary' : 'secondary'}
                onClick={() => decide({ difference: id, take: 'heard' })}
              >
                As the grammar read it
              </Button>
            )}
            <Button
              size="small"
              variant={taken === 'proposed' ? 'primary' : 'secondary'}
              onClick={() => decide({ difference: id, take: 'proposed' })}
            >
              As the model proposes
            </Button>
          </div>
        </div>
      ))}
      {clash !== null && <p className="rounded-surface bg-loss-wash p-4 text-sm text-ink">{clash}</p>}
    </div>
  );
}

function Reading({ who, text }: { who: string; text: string }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-ink-faint">{who}</dt>
      <dd className="text-ink">{text}</dd>
    </div>
  );
}
