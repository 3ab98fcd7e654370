import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import { commandRefusal } from '#engine/lifecycle/apply-command.ts';
import { closingWays, type ClosingWay, type WayOfClosing } from '#rules/deployments/closing-ways.ts';
import { call } from '../call/call.ts';
import { useHasProvider } from '../call/installation.ts';
import { DataTable, type Column } from '../kit/figure/data-table.tsx';
import { showDateTime, showMoney, showQuantity } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { useDeploymentCommand, useRequestLiquidation } from './deployment-queries.ts';

/** The ways to end a deployment or let it rest, each with what it does, when, and at what cost, before anything is done. */
export function CloseSheet({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const ways = closingWays({
    isPractice: deployment.mode === 'practice',
    positions: deployment.open_positions,
    isAsked: deployment.liquidation_decide_by !== null,
  }).filter(({ way }) => commandRefusal(way, deployment.status) === null);
  const [chosen, choose] = useState<WayOfClosing>('stop');
  const act = useActions(deployment.id);
  const { isPending, mutate } = act[chosen];
  const words = ways.find(({ way }) => way === chosen);
  if (words === undefined) return null;
  return (
    <ConfirmDialog
      title={`Close ${deployment.strategy_name}?`}
      description="Choose how. Nothing happens before you confirm."
      keep="Keep it as it is"
      action={words.action}
      variant={chosen === 'pause' ? 'primary' : 'danger'}
      busy={isPending}
      busyLabel={words.doing}
      onConfirm={() => mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      <div className="grid gap-5">
        <fieldset className="grid gap-3">
          <legend className="sr-only">How to close</legend>
          {ways.map((one) => (
            <WayChoice key={one.way} words={one} isChosen={one.way === chosen} onChoose={choose} />
          ))}
        </fieldset>
        {chosen !== 'pause' && <Sale deployment={deployment} />}
      </div>
    </ConfirmDialog>
  );
}

function useActions(id: string) {
  return {
    pause: useDeploymentCommand(id, 'pause'),
    stop: useDeploymentCommand(id, 'stop'),
    liquidate: useRequestLiquidation(id),
  };
}

function WayChoice({
  words: { way, name, what, when, cost },
  isChosen,
  onChoose,
}: {
  words: ClosingWay;
  isChosen: boolean;
  onChoose: (way: WayOfClosing) => void;
}) {
  return (
    <label className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 rounded-control border p-4 has-checked:border-accent has-checked:bg-accent-wash">
      <input
        type="radio"
        name="way"
        value={way}
        checked={isChosen}
        onChange={() => onChoose(way)}
        className="mt-1 size-4 accent-accent"
      />
      <span className="grid gap-1.5">
        <span className="font-medium">{name}</span>
        <span className="text-sm text-ink-soft">{what}</span>
        <span className="text-sm text-ink-soft">
          <span className="text-ink">When:</span> {when}
        </span>
        <span className="text-sm text-ink-soft">
          <span className="text-ink">Cost:</span> {cost}
        </span>
      </span>
    </label>
  );
}

/** What would be sold, and what the final fee would be. */
function Sale({ deployment }: { deployment: Deployment }) {
  const isCharged = useHasProvider() && deployment.mode !== 'practice';
  const fee = useClosingFee(deployment, isCharged);
  return (
    <>
      {deployment.positions.length > 0 && (
        <DataTable
          caption="What would be sold"
          rows={deployment.positions}
          rowKey={({ ticker }) => ticker}
          columns={COLUMNS}
        />
      )}
      <dl>
        <StatRow label="Value now">{showMoney(deployment.equity)}</StatRow>
        {isCharged && (
          <StatRow label="Final performance fee">
            {fee.data === undefined ? '…' : showMoney(fee.data.if_closed.fee)}
          </StatRow>
        )}
      </dl>
      <p className="text-sm text-ink-soft">
        At the prices of {showDateTime(deployment.as_of)}, before the commissions of the sale. What you get
        depends on the market then.
      </p>
    </>
  );
}

function useClosingFee({ id, as_of: asOf }: Deployment, isCharged: boolean) {
  return useQuery({
    queryKey: ['closing-fee', id, asOf],
    queryFn: ({ signal }) => call('getFeeAccrual', { params: { id }, signal }),
    enabled: isCharged,
    placeholderData: (before) => before,
  });
}

type Position = Deployment['positions'][number];

const COLUMNS: readonly Column<Position>[] = [
  { key: 'ticker', header: 'Instrument', cell: ({ ticker }) => ticker },
  { key: 'quantity', header: 'Quantity', align: 'right', cell: ({ quantity }) => showQuantity(quantity) },
  { key: 'value', header: 'Value', align: 'right', cell: ({ current_value: value }) => showMoney(value) },
];
