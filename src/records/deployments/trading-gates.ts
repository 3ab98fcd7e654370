// What must hold at the moment of starting, resuming and sending, read in the transaction that acts on it.
import { type Kysely, sql } from 'kysely';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Halt, HALT_JSON } from '../operations/kill-switches.ts';
import type { Tables } from '../tables.ts';

export type TradingGates = {
  readonly connectionActive: boolean;
  readonly agreementSigned: boolean;
  /** Whether the strategy's risk score is at most the client's. */
  readonly suitable: boolean;
  /** A kill switch that is on for it. */
  readonly halt: Halt | null;
};

export async function readTradingGates(
  database: Kysely<Tables>,
  id: DeploymentId,
  agreementVersion: string,
): Promise<TradingGates> {
  const { rows } = await sql<{
    connection_active: boolean;
    agreement_signed: boolean;
    suitable: boolean;
    halt: Halt | null;
  }>`
    select c.status = 'active' as connection_active,
      exists (select from agreements a where a.user_id = d.user_id and a.version = ${agreementVersion}
        and a.status = 'signed') as agreement_signed,
      exists (select from risk_profiles p where p.user_id = d.user_id and p.risk_score >= s.risk_score) as suitable,
      ${sql.raw(HALT_JSON)} as halt
    from deployments d
    join broker_connections c on c.id = d.broker_connection_id
    join strategies s on s.id = d.strategy_id
    where d.id = ${id}`.execute(database);
  const row = rows[0];
  if (row === undefined) throw new Error(`no deployment ${id}`);
  return {
    connectionActive: row.connection_active,
    agreementSigned: row.agreement_signed,
    suitable: row.suitable,
    halt: row.halt,
  };
}
