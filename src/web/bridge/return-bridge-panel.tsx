import { useState } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import type { BridgeDay } from '#engine/bridge/return-bridge.ts';
import { Button } from '../kit/control/button.tsx';
import { SaveButton } from '../kit/control/save-button.tsx';
import { Slider } from '../kit/control/slider.tsx';
import { showDate } from '../kit/figure/show-figure.ts';
import { offerFile } from '../kit/page/offer-file.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { bridgeFile } from './bridge-file.ts';
import { BridgeSteps } from './bridge-steps.tsx';
import { useBridge } from './use-bridge.ts';

/** Why a deployment is worth something else than its strategy's published record says: every cause, every day, to the cent. */
export function ReturnBridgePanel({ deployment: { id, strategy } }: { deployment: Deployment }) {
  const [isWanted, want] = useState(false);
  const bridge = useBridge(id, strategy, isWanted);
  const days = bridge.data?.ok === true ? bridge.data.days : [];
  return (
    <section aria-labelledby="bridge" className="grid gap-4">
      <SectionTitle
        id="bridge"
        note="Why your result differs from the published one: each cause in dollars, and they sum to the cent on every day."
        aside={
          days.length > 0 && (
            <SaveButton
              small
              label="The bridge of every day as CSV"
              save={async () =>
                offerFile(new Blob([bridgeFile(days)], { type: 'text/csv' }), 'return-bridge.csv')
              }
            >
              CSV
            </SaveButton>
          )
        }
      >
        From the Published Return to Yours
      </SectionTitle>
      {!isWanted ? (
        <div className="flex flex-wrap items-center gap-3 text-sm text-ink-soft">
          <Button variant="secondary" size="small" onClick={() => want(true)}>
            Explain the Difference
          </Button>
          <span>Your browser runs the published record again with your start, limits and amount.</span>
        </div>
      ) : bridge.data !== undefined ? (
        bridge.data.ok ? (
          <Days days={days} />
        ) : (
          <Notice tone="caution" title="It cannot be explained now">
            {bridge.data.message}
          </Notice>
        )
      ) : bridge.isError ? (
        <ErrorState title="The bridge could not be loaded" onRetry={() => void bridge.refetch()} />
      ) : (
        <div role="status" className="grid gap-3">
          <span className="text-sm text-ink-faint">Running the published record with your terms...</span>
          <Skeleton className="h-64" />
        </div>
      )}
    </section>
  );
}

function Days({ days }: { days: readonly BridgeDay[] }) {
  const [chosen, choose] = useState<number | null>(null);
  const last = days.length - 1;
  const at = Math.min(chosen ?? last, last);
  const day = days[at];
  if (day === undefined)
    return (
      <p className="text-sm text-ink-soft">
        There is nothing to compare yet: the published record has no day since yours began. It is renewed
        after each close.
      </p>
    );
  return (
    <div className="grid gap-5">
      {last > 0 && (
        <div className="max-w-md">
          <Slider
            label="By the end of"
            value={at}
            onChange={choose}
            min={0}
            max={last}
            show={(i) => showDate(days[i]!.date)}
          />
        </div>
      )}
      <BridgeSteps day={day} />
      <p className="text-xs text-ink-faint">
        By the close of {showDate(day.date)}. Computed by your browser with the engine that trades; causes of
        less than a cent are left out.
      </p>
    </div>
  );
}
