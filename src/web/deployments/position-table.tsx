import type { Deployment, Position } from '#contract/deployments.ts';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { showDate, showMoney, showPrice, showQuantity, showWord } from '../kit/figure/show-figure.ts';

const TYPE: Column<Position> = {
  key: 'type',
  header: 'Type',
  cell: (position) => showWord(position.position_type),
};
const SYMBOL: Column<Position> = {
  key: 'symbol',
  header: 'Symbol',
  cell: ({ ticker, formerly, unprotected }) => (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
      {ticker}
      {formerly.length > 0 && (
        <span className="font-normal text-ink-faint">formerly {formerly.join(', ')}</span>
      )}
      {unprotected && (
        <Badge tone="caution">
          <span title="Your broker takes no protective stop for it. We watch the stop loss ourselves.">
            Unprotected
          </span>
        </Badge>
      )}
    </span>
  ),
};
const FIGURES: readonly Column<Position>[] = [
  {
    key: 'quantity',
    header: 'Qty',
    align: 'right',
    cell: (position) => showQuantity(Math.abs(position.quantity)),
  },
  {
    key: 'entry',
    header: 'Entry Price',
    align: 'right',
    cell: (position) => showPrice(position.entry_price),
  },
  {
    key: 'current',
    header: 'Current Price',
    align: 'right',
    cell: (position) => showPrice(position.current_price),
  },
];
const PNL: Column<Position> = {
  key: 'pnl',
  header: 'P&L',
  align: 'right',
  cell: (position) => (
    <>
      <Change value={position.unrealized_pnl} unit="money" />
      <span className="ml-2 text-ink-faint">
        <Change value={position.unrealized_pnl_percentage} />
      </span>
    </>
  ),
};
const NOTIONAL: Column<Position> = {
  key: 'notional',
  header: 'Notional Value',
  align: 'right',
  cell: (position) => showMoney(position.notional_value),
};
const VALUE: Column<Position> = {
  key: 'value',
  header: 'Value',
  align: 'right',
  cell: (position) => showMoney(position.current_value),
};
const STRATEGY: Column<Position> = {
  key: 'strategy',
  header: 'Strategy',
  cell: (position) => position.strategy_name,
};

/** The figures, and under the current price the working orders that protect the position. */
function guardedFigures(mode: Deployment['mode']): readonly Column<Position>[] {
  const isPractice = mode === 'practice';
  const cell = ({ current_price: price, protective_stop: stop }: Position) => (
    <>
      {showPrice(price)}
      {stop && (
        <span
          className="block text-xs text-ink-faint"
          title={
            isPractice ? 'A practice stop, good for today' : 'A stop order at your broker, good for today'
          }
        >
          {isPractice ? 'Practice stop' : 'Stop at broker'} {showPrice(stop.price)}
          <span className="block">since {showDate(stop.since)}</span>
        </span>
      )}
    </>
  );
  return FIGURES.map((column) => (column.key === 'current' ? { ...column, cell } : column));
}

/** Open positions of one deployment, each with the working orders that protect it. */
export function PositionTable({ positions, mode }: Pick<Deployment, 'positions' | 'mode'>) {
  return (
    <DataTable
      caption="Active Positions"
      columns={[TYPE, SYMBOL, ...guardedFigures(mode), NOTIONAL, PNL]}
      rows={positions}
      rowKey={(position) => position.ticker}
      empty="No Active Positions"
    />
  );
}

/** Open positions of every deployment, each with its strategy. */
export function PortfolioPositionTable({ positions }: { positions: readonly Position[] }) {
  return (
    <DataTable
      caption="Active Positions"
      columns={[STRATEGY, SYMBOL, TYPE, ...FIGURES, VALUE, PNL]}
      rows={positions}
      rowKey={(position) => `${position.strategy_name} ${position.ticker}`}
      empty="No Active Positions"
    />
  );
}
