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
};

/** As the vendor has it now. One that has ended stays ended, whatever an older notice says. */
export async function saveDispute(
  database: Kysely<Tables>,
  dispute: KeptDispute,
  at: Instant,
): Promise<void> {
  const endedAt = dispute.status === 'open' ? null : isoText(at);
  await sql`
    insert into disputes as d (id, vendor, charge_id, amount_micro, because, status, opened_at, ended_at)
    values (${dispute.id}, ${dispute.vendor}, ${dispute.chargeId}, ${String(dispute.amount)}::bigint, ${dispute.because},
      ${dispute.status}, ${isoText(at)}, ${endedAt})
    on conflict (id) do update set status = excluded.status, ended_at = excluded.ended_at,
      amount_micro = excluded.amount_micro, because = excluded.because
      where d.status = 'open'`.execute(database);
}
