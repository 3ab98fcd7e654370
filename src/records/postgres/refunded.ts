import { type RawBuilder, sql } from 'kysely';

const given = sql`r.status <> 'refused'`;

/** Of a charge, named by its id: what was given back of it, or is agreed to be. */
export const REFUNDED = (charge: RawBuilder<unknown>): RawBuilder<string> => sql<string>`
  (select coalesce(sum(r.amount_micro), 0)::text from refunds r where r.charge_id = ${charge} and ${given})`;

/** Of a charge: what a bank took back of it and has not given back. */
export const CHARGED_BACK = (charge: RawBuilder<unknown>): RawBuilder<string> => sql<string>`
  (select coalesce(sum(x.amount_micro), 0)::text from chargebacks x where x.charge_id = ${charge})`;

/** The reasons of those, in the order in which they were agreed. */
export const REFUND_REASON = (charge: RawBuilder<unknown>): RawBuilder<string | null> => sql<string | null>`
  (select string_agg(r.because, '; ' order by r.agreed_at, r.id) from refunds r where r.charge_id = ${charge} and ${given})`;
