// Round trips that are not what a replay of all bookings of their instrument makes of them.
import { sql } from 'kysely';
import type { Instrument } from '#engine/market/instrument.ts';
import type { RoundTrip } from '#engine/portfolio/round-trips.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';
import { recomputeRoundTrips } from '../portfolio/round-trips.ts';

type Line = readonly (string | number | null)[];
type DifferingTrips = {
  readonly deployment_id: DeploymentId;
  readonly symbol: Symbol;
  readonly stored: readonly Line[];
  readonly recomputed: readonly Line[];
};

/** Each with both lists. */
export async function findDifferingTrips(
  database: Database,
  instruments: ReadonlyMap<Symbol, Instrument>,
): Promise<DifferingTrips[]> {
  const { rows } = await sql<{ deploymentId: DeploymentId; stored: Record<Symbol, Line[]> }>`
    select d.id as "deploymentId", coalesce((select json_object_agg(t.symbol, t.lines) from (
      select r.symbol, json_agg(json_build_array(r.number, r.side, (extract(epoch from r.opened_at) * 1000)::bigint,
        (extract(epoch from r.closed_at) * 1000)::bigint, r.closed_by, (r.quantity * 100000000)::bigint, r.entry_price,
        r.exit_price, r.entry_value_micro, r.commission_micro, r.income_micro, r.pnl_micro) order by r.number) as lines
      from round_trips r where r.deployment_id = d.id group by r.symbol) t), '{}') as stored
    from deployments d order by d.id`.execute(database);
  const differing: DifferingTrips[] = [];
  for (const { deploymentId, stored: bySymbol } of rows) {
    const trips = await recomputeRoundTrips(database, deploymentId, instruments);
    for (const symbol of new Set([...trips.keys(), ...(Object.keys(bySymbol) as Symbol[])])) {
      const stored = bySymbol[symbol] ?? [];
      const recomputed = (trips.get(symbol) ?? []).map(lineOf);
      if (JSON.stringify(stored) !== JSON.stringify(recomputed))
        differing.push({ deployment_id: deploymentId, symbol, stored, recomputed });
    }
  }
  return differing;
}

/** In the order of the columns above. */
function lineOf(trip: RoundTrip, index: number): Line {
  return [
    index + 1,
    trip.side,
    trip.openedAt,
    trip.closedAt,
    trip.closedBy,
    trip.quantity,
    trip.entryPrice,
    trip.exitPrice,
    trip.entryValue,
    trip.commission,
    trip.income,
    trip.pnl,
  ];
}
