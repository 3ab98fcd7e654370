// Preconditions of starting, resuming and sending, read in the transaction that acts on them.
import { type Kysely, sql } from 'kysely';
import { isSuitable } from '#rules/suitability/is-suitable.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { feesPaid } from '../fees/unpaid-fees.ts';
import { type Halt, HALT_JSON } from '../operations/kill-switches.ts';
import { idArray } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

export type TradingGates = {
  readonly connectionActive: boolean;
  /** Of the connection: its owner's choice. */
  readonly withoutMarketData: boolean;
  /** Any version; or none is needed: practice trades nobody's money. What was signed holds for what runs. */
  readonly agreementSigned: boolean;
  /** The newest version, which is needed to start and to resume; or none is needed. */
  readonly agreementCurrent: boolean;
  /** Current, or still to be signed: then nothing new is opened once its day has passed. */
  readonly agreementInTime: boolean;
  /** Or none is needed. */
  readonly feesPaid: boolean;
  readonly strategyScore: RiskScore;
  /** Null without a risk profile. */
  readonly clientScore: RiskScore | null;
  readonly suitable: boolean;
  /** An active kill switch that covers it. */
  readonly halt: Halt | null;
};

export async function readTradingGates(
  database: Kysely<Tables>,
  id: DeploymentId,
  agreementVersion: string,
): Promise<TradingGates> {
  const gates = (await listTradingGates(database, [id], agreementVersion)).get(id);
  if (gates === undefined) throw new Error(`no deployment ${id}`);
  return gates;
}

export async function listTradingGates(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
  agreementVersion: string,
): Promise<ReadonlyMap<DeploymentId, TradingGates>> {
  const { rows } = await sql<GateRow>`
    select d.id, c.status = 'active' as connection_active, c.trades_without_market_data as without_market_data,
      d.mode = 'practice' or exists (select from agreements a where a.user_id = d.user_id
        and a.status = 'signed') as agreement_signed,
      d.mode = 'practice' or exists (select from agreements a where a.user_id = d.user_id
        and a.version = ${agreementVersion} and a.status = 'signed') as agreement_current,
      exists (select from agreement_deadlines l where l.version = ${agreementVersion}
        and l.sign_by <= clock_timestamp()) as agreement_over,
      d.mode = 'practice' or ${feesPaid(sql.ref('d.user_id'))} as fees_paid,
      s.risk_score as strategy_score, p.risk_score as client_score,
      ${sql.raw(HALT_JSON)} as halt
    from deployments d
    join broker_connections c on c.id = d.broker_connection_id
    join strategies s on s.id = d.strategy_id
    left join risk_profiles p on p.user_id = d.user_id
    where d.id = any(${idArray(ids)})`.execute(database);
  return new Map(rows.map((row) => [row.id, gatesOf(row)]));
}

type GateRow = {
  readonly id: DeploymentId;
  readonly connection_active: boolean;
  readonly without_market_data: boolean;
  readonly agreement_signed: boolean;
  readonly agreement_current: boolean;
  readonly agreement_over: boolean;
  readonly fees_paid: boolean;
  readonly strategy_score: RiskScore;
  readonly client_score: RiskScore | null;
  readonly halt: Halt | null;
};

function gatesOf(row: GateRow): TradingGates {
  const { strategy_score: strategyScore, client_score: clientScore } = row;
  return {
    connectionActive: row.connection_active,
    withoutMarketData: row.without_market_data,
    agreementSigned: row.agreement_signed,
    agreementCurrent: row.agreement_current,
    agreementInTime: row.agreement_current || !row.agreement_over,
    feesPaid: row.fees_paid,
    strategyScore,
    clientScore,
    suitable: clientScore !== null && isSuitable(strategyScore, clientScore),
    halt: row.halt,
  };
}
