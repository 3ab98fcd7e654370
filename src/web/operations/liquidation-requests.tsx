import { useState } from 'react';
import type { LiquidationRequest } from '#contract/operations/liquidation-request.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { STATUS_LABELS } from '#rules/deployments/status-label.ts';
import { Button } from '../kit/control/button.tsx';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { DeclineDialog } from './adjustments/decline-dialog.tsx';
import { Facts } from './facts.tsx';
import { NotDecided } from './not-decided.tsx';
import { useDecideLiquidation } from './operations-queries.ts';
import { WaitingList } from './waiting-list.tsx';

/** What owners have asked to be sold. */
export function LiquidationRequests({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="liquidations"
      title="Liquidation requests"
      note="Approve: everything is sold at the next opportunity and the deployment closes. Decline: the client sees your reason and trading continues."
      none="No open requests."
      list={desk.liquidations}
    >
      {desk.liquidations.results.map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
    </WaitingList>
  );
}

function RequestRow({ request }: { request: LiquidationRequest }) {
  const [dialog, setDialog] = useState<'approve' | 'decline' | null>(null);
  const { client, strategy_name: strategy } = request;
  const close = () => setDialog(null);
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-medium">{strategy}</h3>
          <p className="text-sm wrap-anywhere text-ink-faint">{client}</p>
          {request.refusal !== null && (
            <p className="mt-1 text-caution">It cannot be approved now: {request.refusal}</p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            size="small"
            aria-label={`Decline liquidation: ${strategy}, ${client}`}
            onClick={() => setDialog('decline')}
          >
            Decline
          </Button>
          <Button
            variant="secondary"
            size="small"
            disabled={request.refusal !== null}
            aria-label={`Approve liquidation: ${strategy}, ${client}`}
            onClick={() => setDialog('approve')}
          >
            Approve
          </Button>
        </div>
      </div>
      <Facts
        facts={[
          ['Current value', showMoney(request.equity)],
          ['State', STATUS_LABELS[request.status]],
          ['Requested (market time)', showDateTime(request.requested_at)],
        ]}
      />
      {dialog === 'approve' && <ApproveDialog request={request} onClose={close} />}
      {dialog === 'decline' && <DeclineRequest request={request} onClose={close} />}
    </li>
  );
}

type DialogProps = { request: LiquidationRequest; onClose: () => void };

function ApproveDialog({ request, onClose }: DialogProps) {
  const decide = useDecideLiquidation(request.id);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Sell all of ${request.strategy_name}?`}
      description={`All positions of this deployment of ${request.client} are sold at the next opportunity, then it closes as liquidated. Its current value is ${showMoney(request.equity)}; the proceeds depend on the market. This cannot be undone.`}
      keep="Not yet"
      action="Approve and sell"
      busy={decide.isPending}
      busyLabel="Approving..."
      onConfirm={() => decide.mutate({ decision: 'approve' }, { onSuccess: onClose })}
    >
      {decide.isError && <NotDecided error={decide.error} />}
    </ConfirmDialog>
  );
}

function DeclineRequest({ request, onClose }: DialogProps) {
  const decide = useDecideLiquidation(request.id);
  return (
    <DeclineDialog
      title={`Decline the liquidation of ${request.strategy_name}?`}
      description={`The deployment of ${request.client} continues. They can ask again, or stop it themselves.`}
      reasonHint={`${request.client} sees it as the end of a sentence.`}
      reasonPlaceholder="the market is closed until Monday"
      decision={decide}
      onDecline={(reason) => decide.mutate({ decision: 'decline', reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
