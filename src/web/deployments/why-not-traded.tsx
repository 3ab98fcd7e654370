import { useState } from 'react';
import type { RefusedDecision } from '#contract/deployments.ts';
import { Button } from '../kit/control/button.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { usePrinting } from '../kit/page/use-printing.ts';
import { REFUSALS_MAX, useDeploymentRefusals } from './deployment-queries.ts';
import { symbolsByReason } from './symbols-by-reason.ts';

const OCCASIONS: Readonly<Record<RefusedDecision['occasion'], string>> = {
  strategy: 'The strategy decided',
  prices: 'Prices moved',
  fill: 'An order was filled',
  order_ended: 'An order ended',
  holding: 'A corporate action',
  closing: 'The deployment was closing',
};

/** How many decisions are shown at first; older ones appear on request, and all of them in print. */
const DECISIONS_STEP = 5;

export function WhyNotTraded({ deploymentId }: { deploymentId: string }) {
  const refusals = useDeploymentRefusals(deploymentId);
  return (
    <section aria-labelledby="why-not-traded" className="grid gap-4">
      <SectionTitle id="why-not-traded" note="Trades that were skipped or made smaller, and why.">
        Why It Did Not Trade
      </SectionTitle>
      {refusals.data ? (
        <DecisionList decisions={refusals.data} />
      ) : refusals.isError ? (
        <ErrorState title="The reasons could not be loaded" onRetry={() => void refusals.refetch()} />
      ) : (
        <Skeleton className="h-32" />
      )}
    </section>
  );
}

/** Newest first. */
function DecisionList({ decisions }: { decisions: readonly RefusedDecision[] }) {
  const [asked, setAsked] = useState(DECISIONS_STEP);
  const shown = usePrinting() ? decisions.length : Math.min(asked, decisions.length);
  const rest = decisions.length - shown;
  if (decisions.length === 0) {
    return (
      <p className="border-y py-5 text-sm text-ink-soft">
        No trade has been skipped or made smaller so far. When one is, the reason appears here.
      </p>
    );
  }
  return (
    <>
      <ol className="border-y">
        {decisions.slice(0, shown).map((decision, place) => (
          <Decision key={decisions.length - place} decision={decision} />
        ))}
      </ol>
      {rest > 0 && (
        <div className="text-center">
          <Button variant="quiet" onClick={() => setAsked(shown + DECISIONS_STEP)}>
            Show {Math.min(DECISIONS_STEP, rest)} more of {decisions.length}
          </Button>
        </div>
      )}
      {shown === REFUSALS_MAX && (
        <p className="text-sm text-ink-soft">
          These are the newest {REFUSALS_MAX} decisions. Older ones are kept but not listed here.
        </p>
      )}
    </>
  );
}

function Decision({ decision: { at, occasion, items } }: { decision: RefusedDecision }) {
  return (
    <li className="grid gap-x-8 gap-y-3 border-b py-4 text-sm last:border-0 md:grid-cols-[14rem_1fr]">
      <div>
        <time dateTime={at} className="figures">
          {showDateTime(at)}
        </time>
        <p className="mt-0.5 text-ink-faint">{OCCASIONS[occasion]}</p>
      </div>
      <dl className="grid gap-y-3 sm:gap-y-2">
        {symbolsByReason(items).map(({ reason, symbols }) => (
          <div key={reason} className="grid gap-x-6 sm:grid-cols-[10rem_1fr] lg:grid-cols-[16rem_1fr]">
            <dt className="font-medium wrap-anywhere">{symbols.join(', ')}</dt>
            <dd className="max-w-prose text-ink-soft">{reason}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
