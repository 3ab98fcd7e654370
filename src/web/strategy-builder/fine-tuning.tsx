import { useState } from 'react';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { useNavigate } from 'react-router';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Slider } from '../kit/control/slider.tsx';
import { type Numbers, useTuneStrategy } from './builder-queries.ts';
import { draftAddress } from './draft-address.ts';
import { showTunable, type TunableNumber, tunableNumbers } from './tunable-numbers.ts';

/** Moves the numbers of the rules; testing them is a new version and one more counted try. */
export function FineTuning({
  strategyId,
  definition,
  isTraded,
  isBusy,
}: {
  strategyId: string;
  definition: StrategyDefinition;
  /** A deployment trades these rules: they stay, and other numbers make another draft. */
  isTraded: boolean;
  /** A backtest of this draft runs already. */
  isBusy: boolean;
}) {
  const tune = useTuneStrategy(strategyId);
  const numbers = tunableNumbers(definition);
  const [moved, setMoved] = useState<Numbers>({});
  const changed = changedOf(numbers, moved);
  const count = Object.keys(changed).length;
  const navigate = useNavigate();
  const test = () =>
    tune.mutate(
      { values: changed, ...(isTraded && { copy: true }) },
      {
        onSuccess: ({ draft }) => {
          setMoved({});
          if (draft.id !== strategyId) void navigate(draftAddress(draft.id));
        },
      },
    );
  if (numbers.length === 0) return null;
  return (
    <section aria-labelledby="tuning">
      <SectionTitle
        id="tuning"
        note="Every test counts as a try: the more you try, the more likely a good result is luck."
      >
        Fine-tuning
      </SectionTitle>
      <div className="mt-6 grid gap-x-12 gap-y-8 md:grid-cols-2">
        {numbers.map((number) => (
          <Slider
            key={number.path}
            label={number.label}
            value={moved[number.path] ?? number.value}
            onChange={(value) => setMoved((present) => ({ ...present, [number.path]: value }))}
            min={number.min}
            max={number.max}
            step={number.step}
            show={(value) => showTunable(number, value)}
          />
        ))}
      </div>
      {tune.isError && <NotAccepted error={tune.error} />}
      <div className="mt-8 flex flex-wrap items-center gap-3">
        <Button busy={tune.isPending} busyLabel="Saving..." disabled={count === 0 || isBusy} onClick={test}>
          {isTraded ? 'Copy and test' : 'Save and test'}
        </Button>
        {count > 0 && (
          <Button variant="quiet" onClick={() => setMoved({})}>
            Reset
          </Button>
        )}
        <p className="text-sm text-ink-faint" aria-live="polite">
          {hintOf({ isBusy, isChanged: count > 0, isTraded })}
        </p>
      </div>
    </section>
  );
}

function changedOf(numbers: readonly TunableNumber[], moved: Numbers): Numbers {
  const different = numbers.flatMap(({ path, value }): [string, number][] => {
    const now = moved[path];
    return now === undefined || now === value ? [] : [[path, now]];
  });
  return Object.fromEntries(different);
}

function hintOf({
  isBusy,
  isChanged,
  isTraded,
}: Record<'isBusy' | 'isChanged' | 'isTraded', boolean>): string {
  if (isBusy) return 'A test is running.';
  if (!isChanged) return 'Change a number to test it.';
  return isTraded
    ? 'These rules are deployed and stay as they are. This makes a copy with the new numbers.'
    : 'This saves a new version.';
}

function NotAccepted({ error }: { error: unknown }) {
  return (
    <div className="mt-6">
      <Notice tone="failure" title="These numbers were not accepted">
        {sentenceOf(error, 'The draft has not changed. Please try again.')}
      </Notice>
    </div>
  );
}
