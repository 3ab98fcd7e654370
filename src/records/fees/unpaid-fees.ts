// Fee bills that nobody has paid: what is owed of them, whose they are, and what waits until they are paid.
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { UNPAID_DAYS } from '#rules/fees/unpaid-fee.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';
import { CHANGES_OF_BILL, DUE_AT_OF_BILL, IS_UNPAID, OWED_OF_BILL } from '../postgres/fee-dues.ts';

export type UnpaidFee = {
  readonly billId: string;
  readonly deploymentId: DeploymentId;
  readonly number: number;
  readonly userId: UserId;
  readonly email: string;
  readonly strategyName: string;
  readonly paysAutomatically: boolean;
  /** Above zero: the fee less credits, and less what was paid and not taken back. */
  readonly owed: Micro;
  readonly dueAt: Instant;
  /** How often it was paid before, and that payment taken back. */
  readonly paidBefore: number;
  /** How often a bank took a payment of it back, or gave it back after all. */
  readonly changes: number;
};

const UNPAID_FEES = sql`
  select b.id as bill, b.deployment_id as deployment, b.number, d.user_id as "user", u.email, s.name as strategy,
    u.pays_fees_automatically as automatic, ${OWED_OF_BILL}::text as owed, ${DUE_AT_OF_BILL} as due_at,
    (select count(*)::int from fee_payments p where p.bill_id = b.id) as paid_before, ${CHANGES_OF_BILL} as changes
  from fee_bills b join deployments d on d.id = b.deployment_id join users u on u.id = d.user_id
  join strategies s on s.id = d.strategy_id where ${IS_UNPAID}`;
/** Where no trader has looked at a market yet, the real clock. */
const MARKET_NOW = sql`coalesce((select market_at from heartbeats where process = 'trader'), now())`;

/** Due at `now` or before, oldest first; only those that are paid by themselves, or only the others. */
export async function listUnpaidFees(
  database: Kysely<Tables>,
  asked: { readonly now: Instant; readonly paysAutomatically: boolean; readonly limit: number },
): Promise<readonly UnpaidFee[]> {
  const { rows } = await sql<UnpaidRow>`
    ${UNPAID_FEES} and b.due_at <= ${isoText(asked.now)}::timestamptz
      and ${DUE_AT_OF_BILL} <= ${isoText(asked.now)}::timestamptz
      and u.pays_fees_automatically = ${asked.paysAutomatically}
    order by due_at, bill limit ${asked.limit}`.execute(database);
  return rows.map(unpaidOf);
}

/** Undefined once it is paid, and where nothing is owed. Two payers of one bill come one after the other. */
export async function lockUnpaidFee(
  trx: Transaction<Tables>,
  billId: string,
): Promise<UnpaidFee | undefined> {
  await sql`select from fee_bills where id = ${billId} for no key update`.execute(trx);
  const { rows } = await sql<UnpaidRow>`${UNPAID_FEES} and b.id = ${billId}`.execute(trx);
  return rows[0] && unpaidOf(rows[0]);
}

/** Its id is the charge's. */
export async function insertFeePayment(
  trx: Transaction<Tables>,
  payment: {
    readonly id: string;
    readonly billId: string;
    readonly amount: Micro;
    readonly vendor: string;
    readonly vendorReference: string;
    readonly isAutomatic: boolean;
    readonly paidAt: Instant;
  },
): Promise<void> {
  await trx
    .insertInto('fee_payments')
    .values({
      id: payment.id,
      bill_id: payment.billId,
      amount_micro: payment.amount,
      vendor: payment.vendor,
      vendor_reference: payment.vendorReference,
      is_automatic: payment.isAutomatic,
      paid_at: isoText(payment.paidAt),
    })
    .execute();
}

/** False once a bill that its owner must pay has been unpaid for so long that nothing new is opened. */
export async function hasPaidFees(database: Kysely<Tables>, userId: UserId): Promise<boolean> {
  const { rows } = await sql<{ paid: boolean }>`select ${feesPaid(sql`${userId}::uuid`)} as paid`.execute(
    database,
  );
  return rows[0]!.paid;
}

/** The same as a condition on a person's id. */
export function feesPaid(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from fee_bills b join deployments billed on billed.id = b.deployment_id
    join users payer on payer.id = billed.user_id
    where payer.id = ${userId} and not payer.pays_fees_automatically and ${IS_UNPAID}
      and ${DUE_AT_OF_BILL} + make_interval(days => ${UNPAID_DAYS.stopped}) <= ${MARKET_NOW})`;
}

/** Of real money, that have not ended. */
export async function listOwnDeployments(
  database: Kysely<Tables>,
  userId: UserId,
): Promise<readonly DeploymentId[]> {
  const rows = await database
    .selectFrom('deployments')
    .select('id')
    .where('user_id', '=', userId)
    .where('mode', '=', 'real')
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function paysFeesAutomatically(database: Kysely<Tables>, userId: UserId): Promise<boolean> {
  const row = await database
    .selectFrom('users')
    .select('pays_fees_automatically')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.pays_fees_automatically;
}

export async function changeFeePayment(
  database: Kysely<Tables>,
  userId: UserId,
  paysAutomatically: boolean,
): Promise<void> {
  await database
    .updateTable('users')
    .set({ pays_fees_automatically: paysAutomatically })
    .where('id', '=', userId)
    .execute();
}

type UnpaidRow = {
  readonly bill: string;
  readonly deployment: DeploymentId;
  readonly number: number;
  readonly user: UserId;
  readonly email: string;
  readonly strategy: string;
  readonly automatic: boolean;
  readonly owed: string;
  readonly due_at: Date;
  readonly paid_before: number;
  readonly changes: number;
};

function unpaidOf(row: UnpaidRow): UnpaidFee {
  return {
    billId: row.bill,
    deploymentId: row.deployment,
    number: row.number,
    userId: row.user,
    email: row.email,
    strategyName: row.strategy,
    paysAutomatically: row.automatic,
    owed: parseMicro(row.owed),
    dueAt: parseInstant(row.due_at),
    paidBefore: row.paid_before,
    changes: row.changes,
  };
}
