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
  const { rows } = await sql<{ deploymentId: DeploymentId; symbol: Symbol; stored: Line[] }>`
    select b.deployment_id as "deploymentId", b.symbol, coalesce((
      select json_agg(json_build_array(r.number, r.side, (extract(epoch from r.opened_at) * 1000)::bigint,
        (extract(epoch from r.closed_at) * 1000)::bigint, r.closed_by, (r.quantity * 100000000)::bigint, r.entry_price,
        r.exit_price, r.entry_value_micro, r.commission_micro, r.income_micro, r.pnl_micro) order by r.number)
      from round_trips r where r.deployment_id = b.deployment_id and r.symbol = b.symbol), '[]') as stored
    from (select deployment_id, symbol from fills union select deployment_id, symbol from position_events
      union select deployment_id, event ->> 'underlying' from position_events where kind in ('exercise', 'assignment')
      union select deployment_id, symbol from round_trips) b order by 1, 2`.execute(database);
  const differing: DifferingTrips[] = [];
  for (const { deploymentId, symbol, stored } of rows) {
    const instrument = instruments.get(symbol);
    if (instrument === undefined) throw new Error(`no instrument ${symbol}`);
    const trips = await recomputeRoundTrips(database, { deploymentId, symbol }, instrument);
    const recomputed = trips.map(lineOf);
    if (JSON.stringify(stored) !== JSON.stringify(recomputed))
      differing.push({ deployment_id: deploymentId, symbol, stored, recomputed });
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
