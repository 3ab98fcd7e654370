import { Info } from 'lucide-react';
import { useState } from 'react';
import type { Trade } from '#contract/trade.ts';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { showDate, showDateTime, showMoney, showPrice, showQuantity } from '../kit/figure/show-figure.ts';
import { useNewestRows } from './use-newest-rows.tsx';

const STATUS_WORDS: Readonly<Record<Trade['status'], string>> = {
  executed: 'Executed',
  partial: 'Partially filled',
  pending: 'Pending',
  cancelled: 'Cancelled',
  failed: 'Failed',
  unknown: 'Checking',
};

/** Orders and their fills, newest first. The mark at the end of a row opens why it was made. */
export function TradeTable({ trades }: { trades: readonly Trade[] }) {
  const [explained, setExplained] = useState<Trade | null>(null);
  const { shown, more } = useNewestRows(trades, 'orders');
  return (
    <>
      <DataTable
        caption="Trades History"
        columns={columns(setExplained)}
        rows={shown}
        rowKey={(trade) => trade.id}
        empty="No orders yet. The first orders follow the strategy’s next decision at a market close."
      />
      {more}
      <Dialog
        open={explained !== null}
        onOpenChange={(open) => !open && setExplained(null)}
        title={explained ? `Why: ${typeOf(explained).toLowerCase()} ${explained.ticker}` : ''}
      >
        {explained && <TradeReceipt trade={explained} />}
      </Dialog>
    </>
  );
}

function columns(explain: (trade: Trade) => void): readonly Column<Trade>[] {
  return [
    { key: 'date', header: 'Date', cell: (trade) => showDate(trade.executed_at ?? trade.created_at) },
    { key: 'type', header: 'Type', cell: typeOf },
    { key: 'symbol', header: 'Symbol', cell: (trade) => <span className="font-medium">{trade.ticker}</span> },
    {
      key: 'quantity',
      header: 'Fill Qty',
      align: 'right',
      cell: (trade) =>
        trade.is_adjustment
          ? showQuantity(trade.quantity)
          : `${showQuantity(trade.quantity)} / ${showQuantity(trade.requested_quantity)}`,
    },
    { key: 'price', header: 'Fill Price', align: 'right', cell: (trade) => showPrice(trade.price) },
    { key: 'total', header: 'Total Amount', align: 'right', cell: (trade) => showMoney(trade.total_amount) },
    { key: 'placed', header: 'Placed On', cell: (trade) => showDateTime(trade.created_at) },
    { key: 'status', header: 'Status', cell: (trade) => STATUS_WORDS[trade.status] },
    {
      key: 'notes',
      header: <span className="sr-only">Reason</span>,
      cell: (trade) => (
        <button
          type="button"
          aria-label={`Why this ${typeOf(trade).toLowerCase()} of ${trade.ticker}`}
          title={trade.trade_notes}
          onClick={() => explain(trade)}
          className="flex size-8 items-center justify-center rounded-control text-ink-faint hover:bg-raised hover:text-ink"
        >
          <Info className="size-4" aria-hidden="true" />
        </button>
      ),
    },
  ];
}

function typeOf({ is_adjustment: isAdjustment, trade_type: type }: Trade): string {
  if (isAdjustment) return 'Adjustment';
  return type === 'buy' ? 'Buy' : 'Sell';
}

function TradeReceipt({ trade }: { trade: Trade }) {
  return (
    <div className="grid gap-4 text-sm">
      <p className="whitespace-pre-line text-ink-soft">{trade.trade_notes}</p>
      <dl className="grid grid-cols-2 gap-3 border-t pt-4">
        <div>
          <dt className="text-ink-faint">
            {trade.commission_is_estimate ? 'Commission, estimated' : 'Commission'}
          </dt>
          <dd className="figures">{showMoney(trade.commission)}</dd>
        </div>
        <div>
          <dt className="text-ink-faint">Realized P&L, before commission</dt>
          <dd>
            <Change value={trade.realized_pnl} unit="money" />
          </dd>
        </div>
        <div>
          <dt className="text-ink-faint">{trade.is_adjustment ? 'Corrected' : 'Placed'}</dt>
          <dd className="figures">{showDateTime(trade.created_at)}</dd>
        </div>
        {!trade.is_adjustment && (
          <div>
            <dt className="text-ink-faint">Filled</dt>
            <dd className="figures">{showDateTime(trade.executed_at)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
