import { useState } from 'react';
import type { LiquidationRequest } from '#contract/operations/liquidation-request.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { STATUS_LABELS } from '#rules/deployments/status-label.ts';
import { showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { DeclineDialog } from './adjustments/decline-dialog.tsx';
import { Facts } from './facts.tsx';
import { SubjectRow } from './incidents/subject-row.tsx';
import { useDeclineLiquidation } from './operations-queries.ts';
import type { Approval } from './proposals/proposal-actions.tsx';
import { usePropose } from './proposals/proposal-queries.ts';
import { ProposeDialog } from './proposals/propose-dialog.tsx';
import { WaitingList } from './waiting-list.tsx';

/** What owners have asked to be sold. */
export function LiquidationRequests({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="liquidations"
      title="Liquidation requests"
      note="Once two people approve, everything is sold at the next opportunity and the deployment closes. Decline: the client sees your reason and trading continues."
      none="No open requests."
      list={desk.liquidations}
    >
      {desk.liquidations.results.map((request) => (
        <RequestRow key={request.id} request={request} desk={desk} />
      ))}
    </WaitingList>
  );
}

function RequestRow({ request, desk }: { request: LiquidationRequest; desk: OperationsDesk }) {
  const [open, setOpen] = useState<string | null>(null);
  const { client, strategy_name: strategy } = request;
  const close = () => setOpen(null);
  const proposal =
    desk.proposals.find((one) => one.action === 'liquidate' && one.subject === request.id) ?? null;
  const approval: Approval = {
    noun: 'the proposal',
    does: 'to sell everything',
    title: `Sell all of ${strategy}?`,
    effect: `All positions of this deployment of ${client} are sold at the next opportunity, then it closes as liquidated. Its current value is ${showMoney(request.equity)}; the proceeds depend on the market. This cannot be undone.`,
  };
  const canPropose = proposal === null && request.refusal === null;
  return (
    <SubjectRow
      about={`${strategy}, ${client}`}
      below="Asked for by the client"
      proposal={proposal}
      approval={approval}
      open={open}
      onOpen={setOpen}
      actions={[
        { label: 'Decline the request', dialog: <DeclineRequest request={request} onClose={close} /> },
        canPropose
          ? {
              label: 'Approve the request',
              dialog: <SaleDialog request={request} approval={approval} onClose={close} />,
            }
          : null,
      ]}
    >
      {request.refusal !== null && (
        <p className="text-caution">It cannot be approved now: {request.refusal}</p>
      )}
      <Facts
        facts={[
          ['Current value', showMoney(request.equity)],
          ['State', STATUS_LABELS[request.status]],
          ['Requested (market time)', showDateTime(request.requested_at)],
          ['Decide by', showDateTime(request.decide_by)],
        ]}
      />
    </SubjectRow>
  );
}

type DialogProps = { request: LiquidationRequest; onClose: () => void };

function SaleDialog({ request, approval, onClose }: DialogProps & { approval: Approval }) {
  const propose = usePropose();
  return (
    <ProposeDialog
      title={approval.title}
      description={`${approval.effect} Nothing is sold until a second person approves.`}
      action="Propose"
      placeholder="the client confirmed it by phone"
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action: 'liquidate', subject: request.id, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}

function DeclineRequest({ request, onClose }: DialogProps) {
  const decide = useDeclineLiquidation(request.id);
  return (
    <DeclineDialog
      title={`Decline the liquidation of ${request.strategy_name}?`}
      description={`The deployment of ${request.client} continues. They can ask again, or stop it themselves.`}
      reasonHint={`${request.client} sees it as the end of a sentence.`}
      reasonPlaceholder="the market is closed until Monday"
      decision={decide}
      onDecline={(reason) => decide.mutate(reason, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
