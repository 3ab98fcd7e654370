import { useNavigate } from 'react-router';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import type { Parts, useTuneStrategy } from './builder-queries.ts';
import { draftAddress } from './draft-address.ts';

/** Saves the parts that a form changed as one new version: of a copy where a deployment trades the rules. */
export function SaveParts({
  tune,
  parts,
  draft,
  isBusy,
  isComplete = true,
  onReset,
}: {
  tune: ReturnType<typeof useTuneStrategy>;
  /** Empty where nothing was changed. */
  parts: Readonly<Record<string, unknown>>;
  draft: StrategyDraft;
  isBusy: boolean;
  isComplete?: boolean;
  onReset: () => void;
}) {
  const navigate = useNavigate();
  const isNew = Object.keys(parts).length > 0;
  const save = () =>
    tune.mutate(
      { parts: parts as Parts, ...(draft.is_traded && { copy: true }) },
      { onSuccess: ({ draft: made }) => void (made.id !== draft.id && navigate(draftAddress(made.id))) },
    );
  return (
    <>
      {tune.isError && (
        <div className="mt-5">
          <Notice tone="failure" title="These rules were not accepted">
            {sentenceOf(tune.error, 'The draft has not changed. Please try again.')}
          </Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          busy={tune.isPending}
          busyLabel="Saving..."
          disabled={!isNew || !isComplete || isBusy}
          onClick={save}
        >
          {draft.is_traded ? 'Copy with these parts' : 'Save these parts'}
        </Button>
        {isNew && (
          <Button variant="quiet" onClick={onReset}>
            Take back
          </Button>
        )}
      </div>
    </>
  );
}
