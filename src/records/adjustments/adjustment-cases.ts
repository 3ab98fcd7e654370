// What an adjustment of the books can answer: differences and held executions, the deployments of the account, and the
// proposals made so far.
import { type Kysely, sql } from 'kysely';
import type { PositionBreak } from '#engine/execution/reconciliation/reconcile-positions.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import type { DeploymentStatus } from '#engine/lifecycle/status.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, ExecutionId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import {
  type Answered,
  type AnsweredRow,
  answeredOf,
  type DecidedProposal,
  KIND,
  SEEN_NOW,
} from './adjustments.ts';
import { BREAK, type BreakRow, breakOf } from './reconciliation-breaks.ts';
import type { Tables } from '../tables.ts';

export type AskedDifference = {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  readonly isOpen: boolean;
  /** Whether books and broker differ by something else there, too, which no trade explains. */
  readonly isBesideAnother: boolean;
} & PositionBreak;

/** Locked until the transaction ends. */
export async function lockDifference(trx: Kysely<Tables>, id: string): Promise<AskedDifference | undefined> {
  const { rows } = await sql<BreakRow & Omit<AskedDifference, keyof PositionBreak>>`
    select ${BREAK}, f.id, f.account_id as "accountId", f.ended_at is null as "isOpen",
      exists (select from reconciliation_breaks o where o.account_id = f.account_id and o.symbol = f.symbol
        and o.kind = 'unexplained' and o.ended_at is null and o.id <> f.id) as "isBesideAnother"
    from reconciliation_breaks f where f.id::text = ${id} for update of f`.execute(trx);
  return rows.map((row) => ({
    ...breakOf(row),
    id: row.id,
    accountId: row.accountId,
    isOpen: row.isOpen,
    isBesideAnother: row.isBesideAnother,
  }))[0];
}

type AskedExecution = {
  readonly connectionId: BrokerConnectionId;
  readonly isOpen: boolean;
  readonly report: BrokerExecution;
};

/** Undefined until a booking has been tried. */
export async function lockHeldExecution(
  trx: Kysely<Tables>,
  { account, id }: { readonly account: string; readonly id: string },
): Promise<AskedExecution | undefined> {
  const { rows } = await sql<AskedExecution>`
    select connection_id as "connectionId", closed_at is null as "isOpen", report from broker_inbox
    where account_id = ${account} and execution_id = ${id} and (hold_code is not null or closed_at is not null)
    for update`.execute(trx);
  return rows[0];
}

export type CorrectableDeployment = {
  readonly id: DeploymentId;
  readonly connectionId: BrokerConnectionId;
  readonly client: string;
  readonly strategyName: string;
  readonly status: DeploymentStatus;
  readonly mayBeShort: boolean;
  /** For the requested instrument. */
  readonly held: Quantity;
};

/** Deployments that trade an account and have not ended. */
export async function listCorrectable(
  database: Kysely<Tables>,
  { account, symbol }: { readonly account: string; readonly symbol: string },
): Promise<readonly CorrectableDeployment[]> {
  const { rows } = await sql<Omit<CorrectableDeployment, 'held'> & { held: string }>`
    select d.id, c.id as "connectionId", u.email as client, s.name as "strategyName", d.status,
      (v.definition ->> 'direction' is not distinct from 'long_short' or v.definition -> 'options' is not null)
        as "mayBeShort", coalesce(p.quantity, 0)::text as held
    from broker_connections c join live_deployments d on d.broker_connection_id = c.id
    join users u on u.id = d.user_id join strategies s on s.id = d.strategy_id
    join strategy_versions v on v.id = d.strategy_version_id
    left join positions p on p.deployment_id = d.id and p.symbol = ${symbol}
    where c.account_id = ${account} and c.status = 'active' and d.status <> 'pending'
    order by p.quantity is null, d.deployed_at, d.id`.execute(database);
  return rows.map(({ held, ...row }) => ({ ...row, held: parseQuantity(held) }));
}

/** The connection through which the trader reads an account; undefined when it has no active connection any more. */
export async function findDeskOf(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<BrokerConnectionId | undefined> {
  const { rows } = await sql<{ id: BrokerConnectionId }>`
    select c.id from broker_connections c
    where c.account_id = ${account} and c.status = 'active' and c.sealed_credentials is not null
    order by exists (select from live_deployments d where d.broker_connection_id = c.id) desc, c.id limit 1`.execute(
    database,
  );
  return rows[0]?.id;
}

/** The given executions that are in suspense, each with its signed units. */
export async function listInSuspense(
  database: Kysely<Tables>,
  { account, ids }: { readonly account: string; readonly ids: readonly ExecutionId[] },
): Promise<readonly { readonly id: ExecutionId; readonly units: Quantity }[]> {
  const { rows } = await sql<{ id: ExecutionId; units: string }>`
    select execution_id as id, (case side when 'buy' then quantity else -quantity end)::text as units
    from suspense_entries where account_id = ${account} and execution_id = any(${[...ids]}::text[])
    order by execution_id`.execute(database);
  return rows.map(({ id, units }) => ({ id, units: parseQuantity(units) }));
}

export async function isInCatalogue(database: Kysely<Tables>, symbol: string): Promise<boolean> {
  const { rows } = await sql`select from instruments where symbol = ${symbol}`.execute(database);
  return rows.length > 0;
}

export type ShownProposal = Pick<
  DecidedProposal,
  'id' | 'status' | 'proposedBy' | 'decidedBy' | 'outcome' | 'isCurrent'
> & {
  readonly answers: Answered;
  readonly accountId: BrokerAccountId;
  readonly symbol: string;
  readonly currency: string | null;
  readonly deploymentId: DeploymentId | null;
  readonly client: string | null;
  readonly strategyName: string | null;
  readonly undoes: ExecutionId | null;
  readonly undoneUnits: Quantity | null;
  readonly undonePrice: number | null;
  readonly units: Quantity;
  readonly price: number | null;
  readonly commission: Micro;
  readonly because: string;
  readonly proposer: string;
  readonly proposedAt: Date;
  readonly decider: string | null;
  readonly decidedAt: Date | null;
};

/** The newest proposal per subject, or the one with this id. */
export async function listProposals(
  database: Kysely<Tables>,
  wanted:
    | { readonly id: string }
    | {
        readonly differences: readonly string[];
        readonly executions: readonly { readonly accountId: string; readonly id: string }[];
      },
): Promise<readonly ShownProposal[]> {
  const these =
    'id' in wanted
      ? sql`k.id::text = ${wanted.id}`
      : sql`(k.break_id = any(${[...wanted.differences]}::uuid[]) or (k.account_id, k.execution_id) in (
          select * from unnest(${wanted.executions.map(({ accountId }) => accountId)}::text[],
            ${wanted.executions.map(({ id }) => id)}::text[])))`;
  const { rows } = await sql<ShownRow>`
    select distinct on (k.break_id, k.account_id, k.execution_id) k.id, k.status, k.proposed_by as "proposedBy",
      k.decided_by as "decidedBy", k.outcome, k.seen is not distinct from ${SEEN_NOW} as "isCurrent",
      k.break_id as difference, ${KIND} as kind, k.execution_id as execution, k.account_id as "accountId", k.symbol, i.currency,
      k.deployment_id as "deploymentId", u.email as client, s.name as "strategyName", k.undoes_execution as undoes,
      coalesce((select (case f.side when 'buy' then f.quantity else -f.quantity end)::text || ' ' || f.price from fills f
          where f.account_id = k.account_id and f.execution_id = k.undoes_execution),
        (select b.units || ' ' || b.price from adjustments b where b.account_id = k.account_id
          and b.execution_id = k.undoes_execution and b.status = 'applied')) as undone,
      k.units::text, k.price::float8, k.commission_micro::text as commission, k.because, p.email as proposer,
      k.proposed_at as "proposedAt", a.email as decider, k.decided_at as "decidedAt"
    from adjustments k join users p on p.id = k.proposed_by left join users a on a.id = k.decided_by
    left join deployments d on d.id = k.deployment_id left join users u on u.id = d.user_id
    left join strategies s on s.id = d.strategy_id left join instruments i on i.symbol = k.symbol
    where ${these} order by k.break_id, k.account_id, k.execution_id, k.proposed_at desc, k.id`.execute(
    database,
  );
  return rows.map(({ difference, kind, execution, undone, units, commission, ...row }) => {
    const [undoneUnits, undonePrice] = undone?.split(' ') ?? [];
    return {
      ...row,
      answers: answeredOf({ difference, kind, execution }),
      undoneUnits: undoneUnits === undefined ? null : parseQuantity(undoneUnits),
      undonePrice: undonePrice === undefined ? null : Number(undonePrice),
      units: parseQuantity(units),
      commission: parseMicro(commission),
    };
  });
}

type ShownRow = Omit<ShownProposal, 'answers' | 'undoneUnits' | 'undonePrice' | 'units' | 'commission'> &
  AnsweredRow & {
    readonly undone: string | null;
    readonly units: string;
    readonly commission: string;
  };
