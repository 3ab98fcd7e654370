// Payments that a client has asked their bank to take back, as the vendor has them.
import { type Kysely, sql } from 'kysely';
import { type Instant, isoText } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type KeptDispute = {
  readonly id: string;
  readonly vendor: string;
  /** Null where the payment is none of ours. */
  readonly chargeId: string | null;
  readonly amount: Micro;
  readonly because: string;
  readonly status: 'open' | 'won' | 'lost';
  /** Until when the vendor takes our answer; null where it says none. */
  readonly respondBy: Instant | null;
};

/** As the vendor has it now. One that was decided never waits again; the bank may decide otherwise after all. */
export async function saveDispute(
  trx: Kysely<Tables>,
  dispute: KeptDispute,
  at: Instant,
): Promise<KeptDispute['status']> {
  const endedAt = dispute.status === 'open' ? null : isoText(at);
  const respondBy = dispute.respondBy === null ? null : isoText(dispute.respondBy);
  const { rows } = await sql<{ status: KeptDispute['status'] }>`
    insert into disputes as d (id, vendor, charge_id, amount_micro, because, status, respond_by, opened_at, ended_at)
    values (${dispute.id}, ${dispute.vendor}, ${dispute.chargeId}, ${String(dispute.amount)}::bigint, ${dispute.because},
      ${dispute.status}, ${respondBy}, ${isoText(at)}, ${endedAt})
    on conflict (id) do update set
      status = case when excluded.status = 'open' then d.status else excluded.status end,
      ended_at = case when excluded.status in ('open', d.status) then d.ended_at else excluded.ended_at end,
      charge_id = coalesce(d.charge_id, excluded.charge_id), amount_micro = excluded.amount_micro,
      because = excluded.because, respond_by = excluded.respond_by
    returning status`.execute(trx);
  return rows[0]!.status;
}

/** That the bank has not decided, oldest first. */
export async function listOpenDisputes(
  database: Kysely<Tables>,
  { vendor, limit }: { readonly vendor: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('disputes')
    .select('id')
    .where('vendor', '=', vendor)
    .where('status', '=', 'open')
    .orderBy('opened_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
