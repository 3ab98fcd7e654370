import { type FormEvent, useState } from 'react';
import type { CatalogueStrategy } from '#contract/operations/catalogue.ts';
import { sentenceOf } from '../call/call-error.ts';
import { AmountField } from '../kit/control/amount-field.tsx';
import { Button } from '../kit/control/button.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { CapacityFigures } from '../strategies/capacity.tsx';
import { useSetCapacityLimit } from './catalogue-queries.ts';

/** What it takes, what is in it, and the lower limit that its provider may set. */
export function CapacityLimit({ strategy }: { strategy: CatalogueStrategy }) {
  const { capacity } = strategy;
  if (capacity === null) return null;
  return (
    <section aria-labelledby="capacity">
      <SectionTitle id="capacity" note="Real money only. What is in it stays, whatever the limit.">
        Capacity
      </SectionTitle>
      <div className="mt-4 max-w-prose">
        <CapacityFigures capacity={capacity} />
      </div>
      {strategy.status === 'published' && <LimitForm id={strategy.id} capacity={capacity} />}
    </section>
  );
}

function LimitForm({ id, capacity }: { id: string; capacity: NonNullable<CatalogueStrategy['capacity']> }) {
  const set = useSetCapacityLimit(id);
  const [text, setText] = useState(String(capacity.own_limit ?? ''));
  const limit = Number(text);
  const problem = text !== '' && !(limit > 0) ? 'Enter an amount above zero, or nothing for no limit.' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null) set.mutate(text === '' ? null : limit);
  };
  return (
    <form onSubmit={submit} className="mt-6 grid max-w-sm gap-4">
      <AmountField
        label="Take no more than"
        hint={
          capacity.estimate === null
            ? 'Empty: no limit.'
            : `At most ${showMoney(capacity.estimate.amount, { cents: 'never' })}. Empty: the estimate alone.`
        }
        error={problem}
        value={text}
        onChange={setText}
      />
      {set.isError && (
        <Notice tone="failure">{sentenceOf(set.error, 'The limit was not set. Please try again.')}</Notice>
      )}
      {set.isSuccess && <Notice tone="evidence">The limit counts from now on.</Notice>}
      <div>
        <Button type="submit" variant="secondary" busy={set.isPending} busyLabel="Saving...">
          Save the Limit
        </Button>
      </div>
    </form>
  );
}
