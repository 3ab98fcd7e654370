// A strategy of the catalogue as its provider sees it.
import { sql } from 'kysely';
import type { StrategyId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';
import { CHARGED_BACK_OF_BILL, CREDITED_OF_BILL, PAID_OF_BILL } from '../postgres/fee-dues.ts';

export type DeskVersion = {
  readonly id: string;
  readonly number: number;
  readonly committedAt: Date;
  readonly definition: unknown;
  readonly definitionHash: string;
  readonly deployments: number;
  readonly clients: number;
  readonly equity: Micro;
};

/** Newest first, each with the real deployments that trade by it. */
export async function listDeskVersions(database: Database, id: StrategyId): Promise<readonly DeskVersion[]> {
  const { rows } = await sql<Omit<DeskVersion, 'equity'> & { equity: string }>`
    select v.id, v.number, v.committed_at as "committedAt", v.definition, v.definition_hash as "definitionHash",
      count(d.id)::int as deployments, count(distinct d.user_id)::int as clients,
      coalesce(sum(d.equity_micro), 0)::bigint as equity
    from strategy_versions v left join live_deployments d on d.strategy_version_id = v.id and d.mode = 'real'
    where v.strategy_id = ${id} group by v.id order by v.number desc`.execute(database);
  return rows.map((row) => ({ ...row, equity: parseMicro(row.equity) }));
}

export type DeskFigures = {
  readonly clients: number;
  readonly deployments: number;
  readonly practice: number;
  readonly invested: Micro;
  readonly equity: Micro;
  readonly billed: Micro;
  readonly credited: Micro;
  readonly paid: Micro;
};

/** Who follows it now, and the fees of all its deployments since the first. */
export async function readDeskFigures(database: Database, id: StrategyId): Promise<DeskFigures> {
  const { rows } = await sql<Record<keyof DeskFigures, string>>`
    with followers as (
      select count(distinct user_id) filter (where mode = 'real') as clients,
        count(*) filter (where mode = 'real') as deployments, count(*) filter (where mode = 'practice') as practice,
        coalesce(sum(investment_micro) filter (where mode = 'real'), 0)::bigint as invested,
        coalesce(sum(equity_micro) filter (where mode = 'real'), 0)::bigint as equity
      from live_deployments where strategy_id = ${id}
    ), bills as (
      select b.fee_micro as fee, ${CREDITED_OF_BILL} as credited, ${PAID_OF_BILL} - ${CHARGED_BACK_OF_BILL} as paid
      from fee_bills b join deployments d on d.id = b.deployment_id where d.strategy_id = ${id}
    )
    select f.*, coalesce(sum(b.fee), 0)::bigint as billed, coalesce(sum(b.credited), 0)::bigint as credited,
      coalesce(sum(b.paid), 0)::bigint as paid
    from followers f left join bills b on true
    group by f.clients, f.deployments, f.practice, f.invested, f.equity`.execute(database);
  const row = rows[0]!;
  return {
    clients: Number(row.clients),
    deployments: Number(row.deployments),
    practice: Number(row.practice),
    invested: parseMicro(row.invested),
    equity: parseMicro(row.equity),
    billed: parseMicro(row.billed),
    credited: parseMicro(row.credited),
    paid: parseMicro(row.paid),
  };
}

export type NextVersionDraft = { readonly id: string; readonly name: string; readonly author: string | null };

/** Oldest first. */
export async function listNextVersions(
  database: Database,
  id: StrategyId,
): Promise<readonly NextVersionDraft[]> {
  const { rows } = await sql<NextVersionDraft>`
    select s.id, s.name, u.email as author from strategies s left join users u on u.id = s.owner_id
    where s.replaces_id = ${id} and s.status = 'draft' order by s.created_at, s.id`.execute(database);
  return rows;
}
