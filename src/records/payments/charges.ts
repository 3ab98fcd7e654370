// What persons were asked to pay. A row is written before the vendor is asked, and says afterwards what became of it.
import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

export type ChargePurpose = 'plan' | 'fee';

export type NewCharge = {
  readonly id: string;
  readonly userId: UserId;
  readonly purpose: ChargePurpose;
  readonly amount: Micro;
  readonly vendor: string;
  /** Of a plan; null of a fee. */
  readonly quote: unknown;
  /** Of a fee; null of a plan. */
  readonly billId: string | null;
  readonly isAutomatic: boolean;
  readonly openedAt: Instant;
};

export type KeptCharge = NewCharge & {
  readonly email: string;
  readonly status: 'open' | 'paid' | 'withdrawn';
  readonly pageUrl: string | null;
  readonly vendorReference: string | null;
  readonly paid: Micro | null;
};

/** Opens it, or opens it again where it was withdrawn. One that is open or paid stays as it is. */
export async function openCharge(trx: Kysely<Tables>, charge: NewCharge): Promise<void> {
  const quote = charge.quote === null ? null : JSON.stringify(charge.quote);
  await sql`
    insert into charges as c (id, user_id, purpose, amount_micro, vendor, quote, bill_id, is_automatic, opened_at)
    values (${charge.id}, ${charge.userId}, ${charge.purpose}, ${String(charge.amount)}::bigint, ${charge.vendor},
      ${quote}::jsonb, ${charge.billId}, ${charge.isAutomatic}, ${isoText(charge.openedAt)})
    on conflict (id) do update set status = 'open', ended_at = null, page_url = null, opened_at = excluded.opened_at,
      amount_micro = excluded.amount_micro, quote = excluded.quote, is_automatic = excluded.is_automatic
      where c.status <> 'paid' and c.user_id = excluded.user_id`.execute(trx);
}

export async function findCharge(database: Kysely<Tables>, id: string): Promise<KeptCharge | undefined> {
  if (!isUuid(id)) return undefined;
  return (await readCharges(database, sql`c.id = ${id}`))[0];
}

/** Until the end of the transaction nobody else says what became of it. */
export async function lockCharge(trx: Kysely<Tables>, id: string): Promise<KeptCharge | undefined> {
  if (!isUuid(id)) return undefined;
  await sql`select from charges where id = ${id} for update`.execute(trx);
  return findCharge(trx, id);
}

export async function findOpenPlanCharge(
  database: Kysely<Tables>,
  userId: UserId,
): Promise<KeptCharge | undefined> {
  return (
    await readCharges(database, sql`c.user_id = ${userId} and c.purpose = 'plan' and c.status = 'open'`)
  )[0];
}

export async function findOpenChargeOfBill(
  database: Kysely<Tables>,
  billId: string,
): Promise<KeptCharge | undefined> {
  return (await readCharges(database, sql`c.bill_id = ${billId} and c.status = 'open'`))[0];
}

/** Not ended, oldest first: those that wait for their payer, and those opened before `before`. */
export async function listOpenCharges(
  database: Kysely<Tables>,
  { before, limit }: { readonly before: Instant; readonly limit: number },
): Promise<readonly KeptCharge[]> {
  return readCharges(
    database,
    sql`c.status = 'open' and (c.page_url is not null or c.opened_at <= ${isoText(before)}::timestamptz) order by c.opened_at, c.id limit ${limit}`,
  );
}

export async function waitForPayer(trx: Kysely<Tables>, id: string, pageUrl: string): Promise<void> {
  await sql`update charges set page_url = ${pageUrl} where id = ${id} and status = 'open'`.execute(trx);
}

/** One that was paid stays paid. */
export async function withdrawCharge(trx: Kysely<Tables>, id: string, at: Instant): Promise<void> {
  await sql`update charges set status = 'withdrawn', page_url = null, ended_at = ${isoText(at)}
    where id = ${id} and status = 'open'`.execute(trx);
}

export async function payCharge(
  trx: Kysely<Tables>,
  id: string,
  paid: { readonly vendorReference: string; readonly amount: Micro; readonly at: Instant },
): Promise<void> {
  await sql`update charges set status = 'paid', page_url = null, vendor_reference = ${paid.vendorReference},
      paid_micro = ${String(paid.amount)}::bigint, ended_at = ${isoText(paid.at)}
    where id = ${id} and status <> 'paid'`.execute(trx);
}

type Row = {
  readonly id: string;
  readonly userId: UserId;
  readonly email: string;
  readonly purpose: ChargePurpose;
  readonly amount: string;
  readonly vendor: string;
  readonly quote: unknown;
  readonly billId: string | null;
  readonly isAutomatic: boolean;
  readonly status: KeptCharge['status'];
  readonly pageUrl: string | null;
  readonly vendorReference: string | null;
  readonly paid: string | null;
  readonly openedAt: Date;
};

async function readCharges(
  database: Kysely<Tables>,
  which: ReturnType<typeof sql>,
): Promise<readonly KeptCharge[]> {
  const { rows } = await sql<Row>`
    select c.id, c.user_id as "userId", u.email, c.purpose, c.amount_micro::text as amount, c.vendor, c.quote,
      c.bill_id as "billId",
      c.is_automatic as "isAutomatic", c.status, c.page_url as "pageUrl", c.vendor_reference as "vendorReference",
      c.paid_micro::text as paid, c.opened_at as "openedAt"
    from charges c join users u on u.id = c.user_id where ${which}`.execute(database);
  return rows.map((row) => ({
    ...row,
    amount: parseMicro(row.amount),
    paid: row.paid === null ? null : parseMicro(row.paid),
    openedAt: parseInstant(row.openedAt),
  }));
}
