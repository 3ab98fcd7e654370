// Money that two people agreed to give back, and whether the vendor has given it.
import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

export type RefundRecord = {
  readonly id: string;
  readonly chargeId: string;
  readonly userId: UserId;
  readonly email: string;
  readonly amount: Micro;
  readonly because: string;
  readonly status: 'agreed' | 'made' | 'refused';
  readonly agreedAt: Instant;
  readonly endedAt: Instant | null;
};

/** Repeating it changes nothing. The caller holds the lock of the charge. */
export async function agreeRefund(
  trx: Kysely<Tables>,
  refund: Pick<RefundRecord, 'id' | 'chargeId' | 'amount' | 'because' | 'agreedAt'>,
): Promise<void> {
  await sql`
    insert into refunds (id, charge_id, amount_micro, because, agreed_at)
    values (${refund.id}, ${refund.chargeId}, ${String(refund.amount)}::bigint, ${refund.because}, ${isoText(refund.agreedAt)})
    on conflict (id) do nothing`.execute(trx);
}

/** What is agreed or made of a charge; refused ones give nothing back. */
export async function readRefunded(database: Kysely<Tables>, chargeId: string): Promise<Micro> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(sum(amount_micro), 0)::text as amount from refunds
    where charge_id = ${chargeId} and status <> 'refused'`.execute(database);
  return parseMicro(rows[0]!.amount);
}

export async function listAgreedRefunds(
  database: Kysely<Tables>,
  limit: number,
): Promise<readonly RefundRecord[]> {
  return readRefunds(database, sql`r.status = 'agreed' order by r.agreed_at, r.id limit ${limit}`);
}

export async function findRefund(database: Kysely<Tables>, id: string): Promise<RefundRecord | undefined> {
  if (!isUuid(id)) return undefined;
  return (await readRefunds(database, sql`r.id = ${id}`))[0];
}

/** False where it has ended before: its end is told once. */
export async function endRefund(
  trx: Kysely<Tables>,
  id: string,
  end: { readonly vendorReference: string | null; readonly refusal: string | null; readonly at: Instant },
): Promise<boolean> {
  const { rows } = await sql`
    update refunds set status = ${end.refusal === null ? 'made' : 'refused'}, vendor_reference = ${end.vendorReference},
      refusal = ${end.refusal}, ended_at = ${isoText(end.at)}
    where id = ${id} and status = 'agreed' returning id`.execute(trx);
  return rows.length === 1;
}

async function readRefunds(
  database: Kysely<Tables>,
  which: ReturnType<typeof sql>,
): Promise<readonly RefundRecord[]> {
  const { rows } = await sql<
    Omit<RefundRecord, 'amount' | 'agreedAt' | 'endedAt'> & {
      amount: string;
      agreedAt: Date;
      endedAt: Date | null;
    }
  >`
    select r.id, r.charge_id as "chargeId", c.user_id as "userId", u.email, r.amount_micro::text as amount, r.because,
      r.status, r.agreed_at as "agreedAt", r.ended_at as "endedAt"
    from refunds r join charges c on c.id = r.charge_id join users u on u.id = c.user_id where ${which}`.execute(
    database,
  );
  return rows.map((row) => ({
    ...row,
    amount: parseMicro(row.amount),
    agreedAt: parseInstant(row.agreedAt),
    endedAt: row.endedAt && parseInstant(row.endedAt),
  }));
}
