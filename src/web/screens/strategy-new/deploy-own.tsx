import { useState } from 'react';
import type { ShownAttack } from '#contract/strategies/backtests.ts';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { useHasProvider } from '../../call/installation.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { showDate } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { DeployLink } from './deploy-link.tsx';
import { useAcceptVerdict, useAttack, useDraftResult } from '../../strategy-builder/builder-queries.ts';

type Part = { draft: StrategyDraft; ledger: string };

/** The way from rules that were tested to a deployment: practice first, money after attack and practice. */
export function DeployOwn({ draft, ledger }: Part) {
  const { data: strategy } = useDraftResult(draft, ledger);
  const attack = useAttack(draft, ledger).data?.attack ?? null;
  const hasProvider = useHasProvider();
  if (strategy === undefined) return null;
  const { offer_note: offer, practice_first_note: practice } = strategy;
  return (
    <section aria-labelledby="deploy">
      <SectionTitle id="deploy" note="Under the same questions, limits and controls as any other strategy.">
        Deploy it
      </SectionTitle>
      <p className="mt-4 max-w-2xl">
        {offer ??
          practice ??
          'These rules were attacked and have practised. You can deploy them in your own account.'}
      </p>
      {hasProvider && (
        <p className="mt-2 max-w-2xl text-ink-soft">
          You pay no performance fee on rules that you wrote, and nobody advises you about them.
        </p>
      )}
      {attack !== null && attack.verdict !== 'withstood' && <Acceptance draft={draft} attack={attack} />}
      <p className="mt-6 empty:hidden">
        <DeployLink draft={draft} strategy={strategy} />
      </p>
    </section>
  );
}

/** Whoever deploys money or publishes in spite of the verdict says so by name. */
function Acceptance({ draft, attack }: { draft: StrategyDraft; attack: ShownAttack }) {
  const accept = useAcceptVerdict(draft);
  const [name, setName] = useState('');
  if (attack.accepted_at !== null)
    return (
      <p className="mt-4 text-sm text-ink-soft">
        You accepted the verdict “{attack.word}” by your name on {showDate(attack.accepted_at)}.
      </p>
    );
  return (
    <form
      className="mt-6 grid max-w-xl justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        accept.mutate({ verdict: attack.verdict, name });
      }}
    >
      <div className="w-full">
        <Field
          label={`I have read the verdict “${attack.word}” and go on all the same`}
          hint="Write your name as it is in your account. It is kept with the verdict."
          error={accept.isError ? sentenceOf(accept.error, 'Nothing was kept. Please try again.') : null}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              autoComplete="name"
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Button
        type="submit"
        variant="secondary"
        busy={accept.isPending}
        busyLabel="Keeping..."
        disabled={name.trim().length < 2}
      >
        Accept by Name
      </Button>
    </form>
  );
}
