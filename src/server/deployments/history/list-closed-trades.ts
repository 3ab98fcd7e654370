import type { ClosedTrade, closedTradesEndpoints } from '#contract/closed-trades.ts';
import { isOwnDeployment, readTrades } from '#records/deployments/deployment-views.ts';
import { listClosedTrips, type StoredTrip } from '#records/portfolio/round-trips.ts';
import { CLOSED_BY_TEXT } from '#rules/deployments/closed-trade-text.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { fromMicro } from '#units/money.ts';
import { csvLine } from '../../answers/csv-line.ts';
import { describeFile } from '../../answers/describe-file.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { showTrade } from './show-trade.ts';

export const listClosedTrades: Call<typeof closedTradesEndpoints.listClosedTrades> = async (
  { params, query: { limit }, caller },
  { records: { database, pool } },
) => {
  if (!(await isOwnDeployment(pool, { id: params.id, userId: caller.userId }))) return notFound();
  return (await listClosedTrips(database, { deploymentId: params.id as DeploymentId, limit })).map(
    showClosed,
  );
};

export const downloadClosedTrades: Call<typeof closedTradesEndpoints.downloadClosedTrades> = async (
  { params, caller, reply },
  { records: { database, pool } },
) => {
  if (!(await isOwnDeployment(pool, { id: params.id, userId: caller.userId }))) return notFound();
  const trips = await listClosedTrips(database, { deploymentId: params.id as DeploymentId, limit: null });
  describeFile(reply, 'closed-trades.csv');
  return csvOf(CLOSED_COLUMNS, trips.toReversed().map(showClosed));
};

export const downloadTrades: Call<typeof closedTradesEndpoints.downloadDeploymentTrades> = async (
  { params, caller, reply },
  { records: { pool } },
) => {
  const own = { id: params.id, userId: caller.userId };
  if (!(await isOwnDeployment(pool, own))) return notFound();
  const rows = await readTrades(pool, { ...own, limit: null });
  describeFile(reply, 'orders.csv');
  return csvOf(ORDER_COLUMNS, rows.toReversed().map(showTrade));
};

function showClosed(trip: StoredTrip): ClosedTrade {
  return {
    id: `${trip.symbol}:${trip.number}`,
    ticker: trip.ticker,
    side: trip.side,
    opened_at: trip.openedAt.toISOString(),
    closed_at: trip.closedAt!.toISOString(),
    quantity: trip.quantity,
    entry_price: trip.entryPrice,
    exit_price: trip.exitPrice!,
    currency: trip.currency,
    entry_value: fromMicro(trip.entryValue),
    commission: fromMicro(trip.commission),
    income: fromMicro(trip.income),
    pnl: fromMicro(trip.pnl),
    pnl_percentage: trip.entryValue === 0 ? 0 : (trip.pnl / trip.entryValue) * 100,
    closed_by: trip.closedBy!,
    text: CLOSED_BY_TEXT[trip.closedBy!],
  };
}

function csvOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Uint8Array {
  const lines = rows.map((row) => csvLine(columns.map((column) => cellOf(row[column]))));
  return new TextEncoder().encode([csvLine(columns), ...lines].join(''));
}

const cellOf = (value: unknown) => (typeof value === 'number' ? value : String(value ?? ''));

const CLOSED_COLUMNS = [
  'id',
  'ticker',
  'side',
  'opened_at',
  'closed_at',
  'quantity',
  'entry_price',
  'exit_price',
  'currency',
  'entry_value',
  'commission',
  'income',
  'pnl',
  'pnl_percentage',
  'closed_by',
] as const;

const ORDER_COLUMNS = [
  'id',
  'created_at',
  'executed_at',
  'trade_type',
  'ticker',
  'quantity',
  'requested_quantity',
  'price',
  'total_amount',
  'commission',
  'commission_is_estimate',
  'status',
  'realized_pnl',
  'is_adjustment',
  'trade_notes',
] as const;
