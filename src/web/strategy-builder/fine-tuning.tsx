import { useState } from 'react';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Slider } from '../kit/control/slider.tsx';
import { type Numbers, useTuneStrategy } from './builder-queries.ts';
import { showTunable, type TunableNumber, tunableNumbers } from './tunable-numbers.ts';

/** Moves the numbers of the rules; testing them is a new version and one more counted try. */
export function FineTuning({
  strategyId,
  definition,
  isBusy,
}: {
  strategyId: string;
  definition: StrategyDefinition;
  /** A backtest of this draft runs already. */
  isBusy: boolean;
}) {
  const tune = useTuneStrategy(strategyId);
  const numbers = tunableNumbers(definition);
  const [moved, setMoved] = useState<Numbers>({});
  const changed = changedOf(numbers, moved);
  const count = Object.keys(changed).length;
  const test = () => tune.mutate({ values: changed }, { onSuccess: () => setMoved({}) });
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
      {tune.isError && (
        <div className="mt-6">
          <Notice tone="failure" title="These numbers were not accepted">
            {sentenceOf(tune.error, 'The draft has not changed. Please try again.')}
          </Notice>
        </div>
      )}
      <div className="mt-8 flex flex-wrap items-center gap-3">
        <Button busy={tune.isPending} busyLabel="Saving..." disabled={count === 0 || isBusy} onClick={test}>
          Save and test
        </Button>
        {count > 0 && (
          <Button variant="quiet" onClick={() => setMoved({})}>
            Reset
          </Button>
        )}
        <p className="text-sm text-ink-faint" aria-live="polite">
          {isBusy
            ? 'A test is running.'
            : count === 0
              ? 'Change a number to test it.'
              : 'This saves a new version.'}
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
