// Clients as support finds and sees them: who a mail, an account or an order belongs to, and what happened to them.
import { type Kysely, sql } from 'kysely';
import type { DeploymentStatus } from '#engine/lifecycle/status.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { SecurityEventKind } from '#rules/identity/security-event.ts';
import type { BrokerAccountId, DeploymentId, UserId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

export const FOUND_BY = ['mail', 'account', 'order'] as const;

export type FoundClient = {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly by: (typeof FOUND_BY)[number];
};

/**
 * Whose mail, account number, client id, or order id it is: exactly, and clients alone. An order has our id, the one that we
 * give the broker and the broker's.
 */
export async function findClients(
  database: Kysely<Tables>,
  { sought, max }: { readonly sought: string; readonly max: number },
): Promise<readonly FoundClient[]> {
  const { rows } = await sql<FoundClient>`
    select u.id, u.email, trim(u.first_name || ' ' || u.last_name) as name, min(f.by) as by
    from (
      select id, 'mail' as by from users where email = lower(${sought})
      union select user_id, 'account' from broker_connections
        where account_id = ${sought} or split_part(account_id, ':', 2) = ${sought}
      union select d.user_id, 'order' from orders o join deployments d on d.id = o.deployment_id
        where o.client_order_id = ${sought} or o.broker_order_id = ${sought} or o.id::text = lower(${sought})
    ) f join users u on u.id = f.id
    where u.role = 'investor' group by u.id order by u.email limit ${max}`.execute(database);
  return rows;
}

/** Writes into the audit log that the person of this transaction found, saw or signed out a client. */
export async function auditLook(
  trx: Kysely<Tables>,
  look: { readonly action: 'person.found' | 'person.viewed' | 'person.signed_out'; readonly id: UserId },
): Promise<void> {
  await sql`select audit_look(${look.action}, ${look.id})`.execute(trx);
}

export type Client = {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly country: string | null;
  readonly isEmailVerified: boolean;
  readonly isDisabled: boolean;
  readonly hasSecondFactor: boolean;
  readonly riskTolerance: string | null;
  readonly plan: string | null;
  readonly createdAt: Date;
};

/** Undefined for staff too: whoever works here is no client. */
export async function findClient(database: Kysely<Tables>, id: string): Promise<Client | undefined> {
  const { rows } = await sql<Client>`
    select u.id, u.email, trim(u.first_name || ' ' || u.last_name) as name, u.country,
      u.email_verified_at is not null as "isEmailVerified", u.disabled_at is not null as "isDisabled",
      exists (select from second_factors f where f.user_id = u.id) as "hasSecondFactor",
      (select r.risk_tolerance from risk_profiles r where r.user_id = u.id) as "riskTolerance",
      (select s.plan from subscriptions s where s.user_id = u.id) as plan, u.created_at as "createdAt"
    from users u where u.id::text = ${id} and u.role = 'investor'`.execute(database);
  return rows[0];
}

export type ClientDeployment = {
  readonly id: DeploymentId;
  readonly strategyName: string;
  readonly mode: 'practice' | 'real';
  readonly status: DeploymentStatus;
  readonly accountId: BrokerAccountId | null;
  readonly investmentMicro: string;
  readonly cashMicro: string;
  readonly equityMicro: string;
  readonly realizedMicro: string;
  /** Trading clock, like the next. */
  readonly deployedAt: Date;
  readonly endedAt: Date | null;
};

/** Those that go on first, then the newest. */
export async function listClientDeployments(
  database: Kysely<Tables>,
  { userId, max }: { readonly userId: UserId; readonly max: number },
): Promise<readonly ClientDeployment[]> {
  const { rows } = await sql<ClientDeployment>`
    select d.id, s.name as "strategyName", d.mode, d.status, c.account_id as "accountId",
      d.investment_micro::text as "investmentMicro", d.cash_micro::text as "cashMicro",
      d.equity_micro::text as "equityMicro", d.realized_micro::text as "realizedMicro",
      d.deployed_at as "deployedAt", d.ended_at as "endedAt"
    from deployments d join strategies s on s.id = d.strategy_id
    join broker_connections c on c.id = d.broker_connection_id
    where d.user_id = ${userId} order by d.ended_at is not null, d.created_at desc, d.id limit ${max}`.execute(
    database,
  );
  return rows;
}

export type ClientEvent = { readonly at: Date } & (
  | {
      readonly kind: 'sign_in';
      readonly what: SecurityEventKind;
      readonly address: string;
      readonly device: string;
    }
  | { readonly kind: 'notice'; readonly facts: NoticeFacts; readonly marketAt: string }
  | { readonly kind: 'agreement'; readonly version: string }
  | { readonly kind: 'connected'; readonly broker: string }
  | { readonly kind: 'halted' | 'halt_lifted'; readonly by: string; readonly because: string }
  | { readonly kind: 'viewed'; readonly by: string }
);

/** The newest first, by the real clock. */
export async function listClientEvents(
  database: Kysely<Tables>,
  { userId, max }: { readonly userId: UserId; readonly max: number },
): Promise<readonly ClientEvent[]> {
  const { rows } = await sql<{ at: Date; said: Omit<ClientEvent, 'at'> }>`
    select at, said from (
      select at, json_build_object('kind', 'sign_in', 'what', kind, 'address', address, 'device', user_agent)::jsonb as said
        from account_events where user_id = ${userId}
      union all select written_at, json_build_object('kind', 'notice', 'facts', facts, 'marketAt', created_at)::jsonb
        from notifications where user_id = ${userId}
      union all select signed_at, json_build_object('kind', 'agreement', 'version', version)::jsonb
        from agreements where user_id = ${userId} and status = 'signed'
      union all select c.connected_at, json_build_object('kind', 'connected', 'broker', b.name)::jsonb
        from broker_connections c join brokers b on b.id = c.broker_id
        where c.user_id = ${userId} and c.connected_at is not null
      union all select set_at, json_build_object('kind', 'halted', 'by', set_by, 'because', because)::jsonb
        from kill_switches where scope in ('client', 'own') and target = ${userId}
      union all select lifted_at, json_build_object('kind', 'halt_lifted', 'by', lifted_by, 'because', because)::jsonb
        from kill_switches where scope in ('client', 'own') and target = ${userId} and lifted_at is not null
      union all select at, json_build_object('kind', 'viewed', 'by', actor)::jsonb
        from audit_log where subject = ${`person:${userId}`} and action = 'person.viewed'
    ) e order by at desc limit ${max}`.execute(database);
  return rows.map(({ at, said }) => ({ at, ...said }) as ClientEvent);
}
