import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import type { KillSwitch } from '#contract/operations/kill-switch.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { haltEffect, haltedName } from '#rules/operations/kill-switch.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { showCounted, showDateTime } from '../../kit/figure/show-figure.ts';
import { useLiftKillSwitch, useWidenKillSwitch } from '../operations-queries.ts';
import { Wait } from '../wait.tsx';

/** The active halts, each with a way to lift it. */
export function KillSwitches({ desk }: { desk: OperationsDesk }) {
  const switches = desk.kill_switches;
  return (
    <section aria-labelledby="kill-switches" className="grid gap-4">
      <SectionTitle
        id="kill-switches"
        note="While a halt is on, the accounts it covers send no orders: no entries, no exits, no stop losses."
      >
        Halted now
      </SectionTitle>
      {switches.length === 0 ? (
        <p className="border-y py-5 text-ink-soft">No halts. Orders are sent normally.</p>
      ) : (
        <ul className="border-y">
          {switches.map((killSwitch) => (
            <SwitchRow key={killSwitch.id} killSwitch={killSwitch} asOf={desk.as_of} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SwitchRow({ killSwitch, asOf }: { killSwitch: KillSwitch; asOf: string }) {
  const [dialog, setDialog] = useState<'lift' | 'widen' | null>(null);
  const { scope, name, reason, set_by: setBy, set_at: setAt, cancels_orders: cancels } = killSwitch;
  const halted = haltedName(scope, name);
  const close = () => setDialog(null);
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 border-b py-5 last:border-0">
      <div className="flex min-w-0 flex-1 basis-72 gap-3">
        <OctagonX className="mt-1 size-4 shrink-0 text-caution" aria-hidden="true" />
        <div className="min-w-0">
          <h3 className="font-medium wrap-anywhere">{halted.replace(/^everyone|^the /, capital)}</h3>
          <p className="mt-1 text-ink-soft first-letter:uppercase">{reason}.</p>
          <p className="figures mt-2 text-sm text-ink-soft">
            {showCounted(killSwitch.deployments, 'deployment')} held for <Wait since={setAt} until={asOf} />.
            By <span className="wrap-anywhere">{setBy}</span>, {showDateTime(setAt)}.
          </p>
          <p className="mt-1 text-sm text-ink-faint">
            {cancels
              ? 'Open orders at the broker were cancelled, including protective stops.'
              : 'Open orders and protective stops stay at the broker.'}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        {!cancels && (
          <Button
            variant="secondary"
            size="small"
            aria-label={`Also cancel open orders: ${halted}`}
            onClick={() => setDialog('widen')}
          >
            Also cancel open orders
          </Button>
        )}
        <Button
          variant="secondary"
          size="small"
          aria-label={`Lift the halt: ${halted}`}
          onClick={() => setDialog('lift')}
        >
          Lift
        </Button>
      </div>
      {dialog === 'lift' && <LiftDialog killSwitch={killSwitch} halted={halted} onClose={close} />}
      {dialog === 'widen' && <WidenDialog killSwitch={killSwitch} halted={halted} onClose={close} />}
    </li>
  );
}

/** An e-mail or a broker’s name stays as it is written. */
const capital = (start: string) => start.replace(/^./, (first) => first.toUpperCase());

type DialogProps = { killSwitch: KillSwitch; halted: string; onClose: () => void };

function LiftDialog({ killSwitch, halted, onClose }: DialogProps) {
  const lift = useLiftKillSwitch(killSwitch);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Resume trading for ${halted}?`}
      description={`Halted because ${killSwitch.reason}. Orders on hold are checked again at current prices and limits, and sent within seconds if they still pass.`}
      keep="Keep it halted"
      action="Lift the halt"
      busy={lift.isPending}
      busyLabel="Lifting..."
      onConfirm={() => lift.mutate(undefined, { onSuccess: onClose })}
      variant="primary"
    >
      {lift.isError && (
        <Notice tone="failure" title="The halt was not lifted">
          {sentenceOf(lift.error, 'Please try again. No orders are sent until then.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}

function WidenDialog({ killSwitch, halted, onClose }: DialogProps) {
  const widen = useWidenKillSwitch(killSwitch);
  const effect = haltEffect({ cancelsWorking: true });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Cancel open orders for ${halted}?`}
      description={`${effect.working} ${effect.stops} Trading stays halted throughout.`}
      keep="Leave them"
      action="Cancel orders and stops"
      busy={widen.isPending}
      busyLabel="Cancelling..."
      onConfirm={() => widen.mutate(undefined, { onSuccess: onClose })}
    >
      {widen.isError && (
        <Notice tone="failure" title="Nothing changed">
          {sentenceOf(widen.error, 'Please try again.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
