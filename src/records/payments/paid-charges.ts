// Payments as support looks at them.
import { type Kysely, sql } from 'kysely';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { CHARGED_BACK, REFUNDED } from '../postgres/refunded.ts';
import type { Tables } from '../tables.ts';
import type { ChargePurpose } from './charges.ts';

export type PaidCharge = {
  readonly id: string;
  readonly email: string;
  readonly purpose: ChargePurpose;
  readonly paid: Micro;
  readonly refunded: Micro;
  readonly chargedBack: Micro;
  readonly vendor: string;
  readonly paidAt: Instant;
  readonly isDisputed: boolean;
};

/** Newest first. */
export async function listPaidCharges(
  database: Kysely<Tables>,
  which: { readonly email: string } | { readonly ids: readonly string[] },
): Promise<readonly PaidCharge[]> {
  const wanted =
    'email' in which ? sql`u.email = ${which.email}` : sql`c.id::text = any(${[...which.ids]}::text[])`;
  const { rows } = await sql<
    Omit<PaidCharge, 'paid' | 'refunded' | 'chargedBack' | 'paidAt'> & {
      paid: string;
      refunded: string;
      chargedBack: string;
      paidAt: Date;
    }
  >`
    select c.id, u.email, c.purpose, c.paid_micro::text as paid, ${REFUNDED(sql.ref('c.id'))} as refunded,
      ${CHARGED_BACK(sql.ref('c.id'))} as "chargedBack", c.vendor,
      c.ended_at as "paidAt", exists (select from disputes d where d.charge_id = c.id and d.status = 'open') as "isDisputed"
    from charges c join users u on u.id = c.user_id where c.status = 'paid' and ${wanted}
    order by c.ended_at desc, c.id limit ${LISTED_MAX}`.execute(database);
  return rows.map((row) => ({
    ...row,
    paid: parseMicro(row.paid),
    refunded: parseMicro(row.refunded),
    chargedBack: parseMicro(row.chargedBack),
    paidAt: parseInstant(row.paidAt),
  }));
}

const LISTED_MAX = 200;
