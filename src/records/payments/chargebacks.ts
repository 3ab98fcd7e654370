// What banks took back in disputes that were lost, and gave back after all. Rows are append-only: the sum of a dispute is what
// is gone now.
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type Chargebacks = {
  /** The number of the newest; 0 where there is none. */
  readonly number: number;
  /** Gone by this dispute, and by all of the charge. */
  readonly ofDispute: Micro;
  readonly ofCharge: Micro;
  /** Of a plan: what was taken of its days and its credit. */
  readonly credit: Micro;
};

/** The caller holds the lock of the charge. */
export async function readChargebacks(
  trx: Transaction<Tables>,
  { disputeId, chargeId }: { readonly disputeId: string; readonly chargeId: string },
): Promise<Chargebacks> {
  const { rows } = await sql<{ number: number; dispute: string; charge: string; credit: string }>`
    select coalesce(max(number) filter (where dispute_id = ${disputeId}), 0) as number,
      coalesce(sum(amount_micro) filter (where dispute_id = ${disputeId}), 0)::text as dispute,
      coalesce(sum(amount_micro), 0)::text as charge,
      coalesce(sum(credit_micro) filter (where dispute_id = ${disputeId}), 0)::text as credit
    from chargebacks where charge_id = ${chargeId}`.execute(trx);
  const { number, dispute, charge, credit } = rows[0]!;
  return {
    number,
    ofDispute: parseMicro(dispute),
    ofCharge: parseMicro(charge),
    credit: parseMicro(credit),
  };
}

/** Of a charge: gone by all its disputes. */
export async function readChargedBack(database: Kysely<Tables>, chargeId: string): Promise<Micro> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(sum(amount_micro), 0)::text as amount from chargebacks where charge_id = ${chargeId}`.execute(
    database,
  );
  return parseMicro(rows[0]!.amount);
}

export async function insertChargeback(
  trx: Transaction<Tables>,
  chargeback: {
    readonly disputeId: string;
    readonly number: number;
    readonly chargeId: string;
    /** Below zero: given back. */
    readonly amount: Micro;
    readonly credit: Micro;
    readonly dueAt: Instant | null;
    readonly at: Instant;
  },
): Promise<void> {
  await trx
    .insertInto('chargebacks')
    .values({
      dispute_id: chargeback.disputeId,
      number: chargeback.number,
      charge_id: chargeback.chargeId,
      amount_micro: chargeback.amount,
      credit_micro: chargeback.credit,
      due_at: chargeback.dueAt === null ? null : isoText(chargeback.dueAt),
      at: isoText(chargeback.at),
    })
    .execute();
}
