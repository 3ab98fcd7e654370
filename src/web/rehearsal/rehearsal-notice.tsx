import type { Strategy } from '#contract/strategies/strategies.ts';
import { fromMicro } from '#units/money.ts';
import { Button } from '../kit/control/button.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { Notice } from '../kit/state/notice.tsx';
import { Impossible } from './rehearsal-result.tsx';
import type { RehearsalState } from './use-rehearsal.ts';

/** One line on where the rehearsal stands: on its way, not possible, or of an amount that cannot be deployed. */
export function RehearsalNotice({
  strategy,
  state,
}: {
  strategy: Pick<Strategy, 'min_investment'>;
  state: RehearsalState;
}) {
  if (state.at === 'failed') {
    return (
      <Notice
        tone="caution"
        title="Your limits could not be applied"
        action={
          state.retry && (
            <Button size="small" variant="secondary" onClick={state.retry}>
              Try Again
            </Button>
          )
        }
      >
        {state.message} The record is shown as published.
      </Notice>
    );
  }
  if (state.at !== 'done') {
    const megabytes = state.at === 'loading' ? state.receivedBytes / 1e6 : 0;
    return (
      <p role="status" className="min-h-10 text-sm text-ink-faint">
        {megabytes > 0
          ? `Loading prices to apply your limits: ${megabytes.toFixed(1)} MB`
          : 'Applying your limits...'}
      </p>
    );
  }
  const { rehearsal, terms } = state;
  if (rehearsal.fills === 0) return <Impossible terms={terms} />;
  if (fromMicro(terms.amount) < strategy.min_investment) {
    return (
      <Notice tone="caution">
        This is less than the minimum of {showMoney(strategy.min_investment, { cents: 'auto' })}: it can be
        rehearsed, not deployed.
      </Notice>
    );
  }
  return (
    <p className="min-h-10 text-sm text-ink-faint">Computed by your browser with the engine that trades.</p>
  );
}
