// What is owed of a fee bill and since when, as SQL: the fee less what later figures took off it, less what was paid, and again
// what a bank took back. What support refunded of it is a gift and not owed again; only a refund of a credit gives back what
// was paid too much.
import { type RawBuilder, sql } from 'kysely';

const b = sql.ref('b.id');
const CREDITED = sql`(select coalesce(sum(c.credit_micro), 0) from fee_corrections c where c.bill_id = ${b})`;
const REFUNDED = sql`(select coalesce(sum(r.amount_micro), 0) from refunds r join charges c on c.id = r.charge_id
  where c.bill_id = ${b} and r.status <> 'refused')`;

/** Of the bill `b`. */
export const PAID_OF_BILL: RawBuilder<string> = sql<string>`
  (select coalesce(sum(p.amount_micro), 0) from fee_payments p where p.bill_id = ${b})`;
/** What banks took back of it and have not given back. */
export const CHARGED_BACK_OF_BILL: RawBuilder<string> = sql<string>`
  (select coalesce(sum(x.amount_micro), 0) from chargebacks x join charges c on c.id = x.charge_id where c.bill_id = ${b})`;
export const CREDITED_OF_BILL: RawBuilder<string> = sql<string>`${CREDITED}`;

/** At or below zero where nothing is. */
export const OWED_OF_BILL: RawBuilder<string> = sql<string>`(b.fee_micro - greatest(0, ${CREDITED} - ${REFUNDED})
  - ${PAID_OF_BILL} + ${CHARGED_BACK_OF_BILL})`;

/** The newest day on which it is due: of the bill, or of the payment that was taken back. */
export const DUE_AT_OF_BILL: RawBuilder<Date> = sql<Date>`coalesce((select x.due_at from chargebacks x
  join charges c on c.id = x.charge_id where c.bill_id = ${b} and x.due_at is not null
  order by x.due_at desc limit 1), b.due_at)`;

/** How often a bank changed what was paid of it: names its reminders and its next charge. */
export const CHANGES_OF_BILL: RawBuilder<number> = sql<number>`(select count(*)::int from chargebacks x
  join charges c on c.id = x.charge_id where c.bill_id = ${b})`;

/** Most bills are paid: they are told by two look-ups. */
export const IS_UNPAID: RawBuilder<boolean> = sql<boolean>`(b.fee_micro > 0 and case
  when not exists (select from fee_payments p where p.bill_id = ${b}) then b.fee_micro > ${CREDITED}
  when not exists (select from chargebacks x join charges c on c.id = x.charge_id where c.bill_id = ${b}) then false
  else ${OWED_OF_BILL} > 0 end)`;
