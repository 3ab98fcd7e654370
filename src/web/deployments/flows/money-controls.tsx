import { ArrowUpDown } from 'lucide-react';
import { useState } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { Button } from '../../kit/control/button.tsx';
import { showMoney } from '../../kit/figure/show-figure.ts';
import { Notice } from '../../kit/state/notice.tsx';
import { CloseSheet } from '../close-sheet.tsx';
import { useCancelFlow } from './flow-queries.ts';
import { MoneySheet } from './money-sheet.tsx';

/** The button of the sheet that adds and withdraws money; none where a deployment has ended, or follows another. */
export function MoneyButton({ deployment }: { deployment: Deployment }) {
  const [sheet, setSheet] = useState<'money' | 'close' | null>(null);
  if (hasEnded(deployment.status) || deployment.shadow_of !== null) return null;
  const close = () => setSheet(null);
  return (
    <>
      <Button
        variant="secondary"
        icon={<ArrowUpDown className="size-4" aria-hidden="true" />}
        onClick={() => setSheet('money')}
      >
        Add or Withdraw
      </Button>
      {sheet === 'money' && (
        <MoneySheet deployment={deployment} onClose={close} onCloseDeployment={() => setSheet('close')} />
      )}
      {sheet === 'close' && <CloseSheet deployment={deployment} onClose={close} />}
    </>
  );
}

/** Money that is to move and has not yet. */
export function PendingFlowNotice({ deployment }: { deployment: Deployment }) {
  const cancel = useCancelFlow(deployment.id);
  const flow = deployment.pending_flow;
  if (flow === null) return null;
  const amount = showMoney(flow.amount, { cents: 'auto' });
  return (
    <Notice
      title={flow.kind === 'deposit' ? `Adding ${amount}` : `Withdrawing ${amount}`}
      action={
        <Button
          variant="secondary"
          size="small"
          busy={cancel.isPending}
          busyLabel="Cancelling..."
          onClick={() => cancel.mutate(flow.id)}
        >
          Cancel
        </Button>
      }
    >
      {flow.reason ?? 'It happens within seconds.'}
    </Notice>
  );
}
