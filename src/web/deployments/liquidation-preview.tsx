import { useQuery } from '@tanstack/react-query';
import type { Deployment } from '#contract/deployments.ts';
import { call } from '../call/call.ts';
import { useHasProvider } from '../call/installation.ts';
import { DataTable, type Column } from '../kit/figure/data-table.tsx';
import { showCounted, showDateTime, showMoney, showQuantity } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { useRequestLiquidation } from './deployment-queries.ts';

/** What would be sold, and what the final fee would be, before anything is asked for. */
export function LiquidationPreview({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const request = useRequestLiquidation(deployment.id);
  const hasProvider = useHasProvider();
  const fee = useClosingFee(deployment, hasProvider);
  return (
    <ConfirmDialog
      title={`Ask to liquidate ${deployment.strategy_name}?`}
      description={`Support decides within a working day and gives you a reason if it declines. Once it approves, ${showCounted(deployment.open_positions, 'position')} worth ${showMoney(deployment.position_value)} will be sold at the next opportunity, and the deployment closes. Until then you can withdraw your request.`}
      keep="Not now"
      action="Request liquidation"
      busy={request.isPending}
      busyLabel="Requesting..."
      onConfirm={() => request.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      <div className="grid gap-5">
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
          {hasProvider && (
            <StatRow label="Final performance fee">
              {fee.data === undefined ? '…' : showMoney(fee.data.if_closed.fee)}
            </StatRow>
          )}
        </dl>
        <p className="text-sm text-ink-soft">
          At the prices of {showDateTime(deployment.as_of)}, before the commissions of the sale. What you get
          depends on the market then.
        </p>
      </div>
    </ConfirmDialog>
  );
}

function useClosingFee({ id, as_of: asOf }: Deployment, hasProvider: boolean) {
  return useQuery({
    queryKey: ['closing-fee', id, asOf],
    queryFn: ({ signal }) => call('getFeeAccrual', { params: { id }, signal }),
    enabled: hasProvider,
    placeholderData: (before) => before,
  });
}

type Position = Deployment['positions'][number];

const COLUMNS: readonly Column<Position>[] = [
  { key: 'ticker', header: 'Instrument', cell: ({ ticker }) => ticker },
  { key: 'quantity', header: 'Quantity', align: 'right', cell: ({ quantity }) => showQuantity(quantity) },
  { key: 'value', header: 'Value', align: 'right', cell: ({ current_value: value }) => showMoney(value) },
];
