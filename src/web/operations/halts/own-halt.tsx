import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { Checkbox } from '../../kit/control/checkbox.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { showDateTime } from '../../kit/figure/show-figure.ts';
import { HaltEffects } from './halt-effects.tsx';
import { useHaltTrading, useLiftTradingHalt, useTradingHalt } from '../operations-queries.ts';

/** Stops everything of one's own at once; nothing is shown before it is known whether it is on. */
export function OwnHaltButton() {
  const [asks, setAsks] = useState(false);
  const halt = useTradingHalt();
  if (halt.data === undefined || halt.data.is_on) return null;
  return (
    <>
      <Button
        variant="secondary"
        icon={<OctagonX className="size-4" aria-hidden="true" />}
        onClick={() => setAsks(true)}
      >
        Halt everything
      </Button>
      {asks && <HaltEverythingDialog onClose={() => setAsks(false)} />}
    </>
  );
}

/** While it is on, with the way out. */
export function OwnHaltNotice() {
  const [asks, setAsks] = useState(false);
  const halt = useTradingHalt();
  const lift = useLiftTradingHalt();
  if (!halt.data?.is_on) return null;
  const { since, cancels_orders: cancels } = halt.data;
  return (
    <Notice
      tone="caution"
      title="You have halted all your trading"
      action={
        <div className="flex flex-wrap justify-end gap-2">
          {!cancels && (
            <Button variant="secondary" size="small" onClick={() => setAsks(true)}>
              Also cancel open orders
            </Button>
          )}
          <Button
            variant="secondary"
            size="small"
            busy={lift.isPending}
            busyLabel="Lifting..."
            onClick={() => lift.mutate()}
          >
            Trade again
          </Button>
        </div>
      }
    >
      Since {showDateTime(since)} we send no orders: no entries, no exits, no stop losses. Your positions stay
      open.{' '}
      {cancels
        ? 'Open orders at your brokers were cancelled, including protective stops.'
        : 'Open orders and protective stops stay at your brokers.'}
      {asks && <HaltEverythingDialog cancels onClose={() => setAsks(false)} />}
    </Notice>
  );
}

function HaltEverythingDialog({ cancels = false, onClose }: { cancels?: boolean; onClose: () => void }) {
  const [cancelsToo, setCancelsToo] = useState(cancels);
  const halt = useHaltTrading();
  return (
    <ConfirmDialog
      onClose={onClose}
      title={cancels ? 'Cancel open orders at your brokers?' : 'Halt all your trading?'}
      description="This applies to all your deployments, including new ones, until you lift it. Nothing is sold."
      keep={cancels ? 'Leave them' : 'Keep trading'}
      action={cancels ? 'Cancel orders and stops' : 'Halt everything'}
      busy={halt.isPending}
      busyLabel="Halting..."
      onConfirm={() => halt.mutate(cancelsToo, { onSuccess: onClose })}
    >
      <div className="grid gap-5">
        {!cancels && (
          <Checkbox
            label="Also cancel my open orders at the brokers"
            hint="Includes protective stops"
            checked={cancelsToo}
            onChange={(event) => setCancelsToo(event.target.checked)}
          />
        )}
        <HaltEffects cancelsWorking={cancelsToo} />
        {halt.isError && (
          <Notice tone="failure" title="Your trading was not halted">
            {sentenceOf(halt.error, 'Please try again.')}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  );
}
