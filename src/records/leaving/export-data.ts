// All that is recorded of a person, as rows to hand to them: no secrets, no other person's data, no inner counters.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AgreementId, UserId } from '#units/identifiers.ts';
import { type AgreementDocuments, readDocument } from '../agreements/agreement-documents.ts';
import type { Tables } from '../tables.ts';

export type ExportedRow = Readonly<Record<string, unknown>>;
export type ExportedTable = { readonly name: string; readonly rows: readonly ExportedRow[] };
export type ExportedDocument = { readonly name: string; readonly bytes: Uint8Array };

/** Of one moment. */
export async function readOwnData(
  database: Kysely<Tables>,
  userId: UserId,
  kept?: AgreementDocuments,
): Promise<{ readonly tables: readonly ExportedTable[]; readonly documents: readonly ExportedDocument[] }> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const tables: ExportedTable[] = [];
      for (const [name, query] of Object.entries(QUERIES)) {
        const { rows } = await query(userId).execute(trx);
        tables.push({ name, rows });
      }
      const signed = await sql<Signed>`
        select id, version, sealed_hash, sealed_pdf from agreements where user_id = ${userId} and sealed_hash is not null
        order by signed_at`.execute(trx);
      const documents: ExportedDocument[] = [];
      for (const { id, version, sealed_hash: hash, sealed_pdf: inRow } of signed.rows)
        documents.push({
          name: `agreement-${version}.pdf`,
          bytes: new Uint8Array(await readDocument(kept, { id, hash, inRow })),
        });
      return { tables, documents };
    });
}

type Signed = {
  readonly id: AgreementId;
  readonly version: string;
  readonly sealed_hash: string;
  readonly sealed_pdf: Buffer | null;
};

type Query = (userId: UserId) => RawBuilder<ExportedRow>;
const MINE = (userId: UserId) => sql`deployment_id in (select id from deployments where user_id = ${userId})`;
const money = (column: string, name = column.replace(/_micro$/, '')) =>
  sql`(${sql.ref(column)} / 1000000.0)::float8 as ${sql.ref(name)}`;

const QUERIES: Readonly<Record<string, Query>> = {
  profile: (id) => sql`
    select id, email, first_name, last_name, date_of_birth::text, country, created_at, email_verified_at, fee_period,
      pays_fees_automatically from users where id = ${id}`,
  risk_profile: (id) => sql`
    select responses, score, risk_score, risk_tolerance, investment_experience, investment_objective, time_horizon,
      financial_situation, max_drawdown_tolerance, created_at, updated_at from risk_profiles where user_id = ${id}`,
  agreements: (id) => sql`
    select id, version, provider, status, document_hash, sealed_hash, signed_name, created_at, signed_at, evidence
    from agreements where user_id = ${id} order by created_at`,
  attestations: (id) => sql`
    select kind, basis, is_withdrawal, rule_version, text, address, user_agent, at from attestations where user_id = ${id}
    order by at`,
  eligibility_decisions: (id) => sql`
    select rule, rule_version, occasion, inputs, outcome, reasons, at from eligibility_decisions where user_id = ${id}
    order by at`,
  advice: (id) => sql`
    select strategy_id, deployment_id, occasion, rule_version, inputs, outcome, at from advice_records
    where user_id = ${id} order by at`,
  identity_checks: (id) => sql`
    select provider, reference, status, documents, sanctions, inputs, at from identity_checks where user_id = ${id}
    order by at`,
  broker_connections: (id) => sql`
    select c.id, b.name as broker, c.account_id, c.status, c.is_paper, c.connected_at from broker_connections c
    join brokers b on b.id = c.broker_id where c.user_id = ${id} order by c.created_at`,
  deployments: (id) => sql`
    select d.id, s.name as strategy, d.mode, d.status, ${money('d.investment_micro', 'investment')},
      ${money('d.cash_micro', 'cash')}, ${money('d.realized_micro', 'realized')}, ${money('d.equity_micro', 'equity')},
      ${money('d.high_water_mark_micro', 'high_water_mark')}, d.stop_loss_percentage::float8,
      d.max_allocation_percent::float8, d.freeze_on_drawdown_percent::float8, d.tripwire_choice, d.tripwire_state,
      d.tripwire_since, d.deployed_at, d.ended_at
    from deployments d join strategies s on s.id = d.strategy_id where d.user_id = ${id} order by d.deployed_at`,
  orders: (id) => sql`
    select id, deployment_id, client_order_id, purpose, symbol, side, quantity::text, limit_price::text, status,
      filled_quantity::text, ${money('realized_micro')}, broker_order_id, decided_at, sent_at, ended_at, reason_code
    from orders where ${MINE(id)} order by decided_at, id`,
  fills: (id) => sql`
    select execution_id, account_id, order_id, deployment_id, symbol, side, quantity::text, price::text,
      ${money('commission_micro')}, ${money('realized_micro')}, executed_at from fills where ${MINE(id)}
    order by executed_at, execution_id`,
  cash_movements: (id) => sql`
    select t.deployment_id, t.kind, t.at, e.ledger_account, e.currency, ${money('e.amount_micro', 'amount')}
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where t.deployment_id in (select id from deployments where user_id = ${id}) order by e.id`,
  daily_values: (id) => sql`
    select deployment_id, date::text, ${money('cash_micro')}, ${money('positions_micro')}, ${money('equity_micro')}
    from equity_marks where ${MINE(id)} order by deployment_id, date`,
  expected_ranges: (id) => sql`
    select deployment_id, made_at, why_none, engine_hash, input_hash, result_hash, first_date::text, last_date::text, terms,
      record_days, days_in_sample, range, published from expected_ranges where ${MINE(id)} order by made_at`,
  tripwire_evidence: (id) => sql`
    select deployment_id, judged_until::text, ${money('equity_micro')}, judged_at, follows, evidence, acknowledged
    from tripwire_evidence where ${MINE(id)} order by deployment_id`,
  fee_bills: (id) => sql`
    select id, deployment_id, number, is_closing, period_start, period_end, ${money('profit_micro')}, fee_percent::float8,
      ${money('fee_micro')}, ${money('high_water_before_micro')}, ${money('high_water_after_micro')}, due_at
    from fee_bills where ${MINE(id)} order by period_end`,
  fee_credits: (id) => sql`
    select bill_id, number, ${money('credit_micro')}, at from fee_corrections where ${MINE(id)} order by at`,
  plan: (id) => sql`
    select plan, billing_interval, chosen_at, period_start, period_end, ${money('credit_micro')}, cancelled_at
    from subscriptions where user_id = ${id}`,
  payments: (id) => sql`
    select id, purpose, ${money('amount_micro')}, ${money('paid_micro')}, vendor, vendor_reference, status, opened_at, ended_at
    from charges where user_id = ${id} order by opened_at`,
  refunds: (id) => sql`
    select r.id, r.charge_id as payment, ${money('r.amount_micro', 'amount')}, r.because, r.status, r.agreed_at, r.ended_at
    from refunds r join charges c on c.id = r.charge_id where c.user_id = ${id} order by r.agreed_at`,
  disputes: (id) => sql`
    select d.id, d.charge_id as payment, ${money('d.amount_micro', 'amount')}, d.because, d.status, d.opened_at, d.ended_at
    from disputes d join charges c on c.id = d.charge_id where c.user_id = ${id} order by d.opened_at`,
  deposits_and_withdrawals: (id) => sql`
    select id, deployment_id, kind, status, ${money('requested_micro')}, ${money('moved_micro')}, ${money('value_before_micro')},
      reason_code, requested_at, ended_at from deployment_flows where ${MINE(id)} order by created_at`,
  places_in_queues: (id) => sql`
    select strategy_id, place, deployment_id, flow_id, ${money('amount_micro')}, signed_at, admitted_at
    from capacity_places where ${MINE(id)} order by signed_at`,
  chargebacks: (id) => sql`
    select x.dispute_id as dispute, x.number, ${money('x.amount_micro', 'amount')}, ${money('x.credit_micro', 'credit')}, x.at
    from chargebacks x join charges c on c.id = x.charge_id where c.user_id = ${id} order by x.at, x.dispute_id, x.number`,
  liquidation_requests: (id) => sql`
    select id, deployment_id, status, requested_at, decided_at, reason from liquidation_requests where ${MINE(id)}
    order by requested_at`,
  drafts: (id) => sql`
    select s.id, s.name, s.description, s.status, v.number as version, v.definition, v.committed_at from strategies s
    join strategy_versions v on v.strategy_id = s.id where s.owner_id = ${id} order by s.created_at, v.number`,
  verdicts_accepted: (id) => sql`
    select attack_id, verdict, name, at from attack_acceptances where user_id = ${id} order by at`,
  claims_imported: (id) => sql`
    select strategy_id, source, kind, file_hash, first_date::text, last_date::text, imported_at, ended_at, ended_as
    from claimed_records where imported_by = ${id} order by imported_at`,
  words_of_drafts: (id) => sql`
    select v.strategy_id, v.number as version, w.conversation, w.decisions, w.reading_id, w.said_at from draft_words w
    join strategy_versions v on v.id = w.strategy_version_id where w.user_id = ${id} order by w.said_at`,
  readings_by_a_model: (id) => sql`
    select id, conversation, read_by, because, vendor, model, is_stand_in, proposal, created_at from model_readings
    where user_id = ${id} order by created_at`,
  calls_of_a_model: (id) => sql`
    select c.reading_id, c.round, c.messages, c.asked_at, a.outcome, a.answered_by, a.tokens_in, a.tokens_out,
      ${money('a.cost_micro', 'cost')}, a.object as answer from model_calls c left join model_answers a on a.call_id = c.id
    where c.user_id = ${id} order by c.asked_at, c.round`,
  watched_strategies: (id) => sql`
    select w.strategy_id, s.name, w.since from watched_strategies w join strategies s on s.id = w.strategy_id
    where w.user_id = ${id} order by w.since`,
  notifications: (id) => sql`
    select id, deployment_id, kind, facts, read_at, created_at from notifications where user_id = ${id} order by created_at`,
  notification_settings: (id) => sql`
    select news, channel, is_on, updated_at from news_choices where user_id = ${id} order by news, channel`,
  news_addresses: (id) => sql`
    select channel, name, created_at from news_addresses where user_id = ${id} order by created_at`,
  news_deliveries: (id) => sql`
    select channel, address_name, notification_id, status, attempts, created_at, tried_at from news_deliveries
    where user_id = ${id} order by created_at`,
  sessions: (id) => sql`
    select created_at, last_used_at, expires_at, ended_at, user_agent, address from sessions where user_id = ${id}
    order by created_at`,
  passkeys: (id) => sql`
    select name, is_synced, created_at, last_used_at from passkeys where user_id = ${id} order by created_at`,
  notes_of_support: (id) => sql`
    select note, written_at from client_notes where user_id = ${id} order by written_at`,
  security_activity: (id) => sql`
    select kind, address, user_agent, at from account_events where user_id = ${id} order by id`,
};
