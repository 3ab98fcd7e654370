// Orders of the last week with the times of their decisions and of the prices behind them.
import { type Kysely, sql } from 'kysely';
import type { CalendarId, InstrumentKind } from '#engine/market/instrument.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type PricedOrder = {
  readonly clientOrderId: string;
  readonly instrument: { readonly kind: InstrumentKind; readonly calendar: CalendarId };
  readonly pricedAt: Instant;
  readonly decidedAt: Instant;
  readonly sentAt: Instant | null;
  /** Seconds of the wall's clock that a day of the market takes now. */
  readonly daySeconds: number;
};

export async function listPricedOrders(database: Kysely<Tables>): Promise<PricedOrder[]> {
  const { rows } = await sql<PricedRow>`
    select o.client_order_id, i.kind, i.calendar, o.priced_at, o.decided_at, o.sent_at,
      coalesce((h.details ->> 'day_seconds')::float, 86400) as day_seconds
    from orders o join instruments i on i.symbol = o.symbol
    cross join (select market_at, details from heartbeats where process = 'trader') h
    where o.priced_at is not null and o.decided_at > h.market_at - interval '7 days'`.execute(database);
  return rows.map((row) => ({
    clientOrderId: row.client_order_id,
    instrument: { kind: row.kind, calendar: row.calendar },
    pricedAt: parseInstant(row.priced_at),
    decidedAt: parseInstant(row.decided_at),
    sentAt: row.sent_at && parseInstant(row.sent_at),
    daySeconds: row.day_seconds,
  }));
}

type PricedRow = {
  readonly client_order_id: string;
  readonly kind: InstrumentKind;
  readonly calendar: CalendarId;
  readonly priced_at: Date;
  readonly decided_at: Date;
  readonly sent_at: Date | null;
  readonly day_seconds: number;
};
