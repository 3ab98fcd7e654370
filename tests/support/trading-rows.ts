// The rows of a strategy and of people who deployed it, as the product would have written them.
import { sql } from 'kysely';
import { definitionHash } from '../../src/engine/strategy/definition-hash.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { openingPosting, postTransaction } from '#records/portfolio/ledger.ts';
import { AGREEMENT_VERSION } from '../../src/rules/provider.ts';
import type { DeploymentId } from '../../src/units/identifiers.ts';
import { type Instant, isoText } from '../../src/units/instant.ts';
import { type Micro, toMicro } from '../../src/units/money.ts';

/** Where the rows go, and where their ids and times come from. */
export type Rows = Pick<DatabaseHandle, 'pool' | 'database'> & {
  readonly newId: () => string;
  readonly now: () => Instant;
};

export type DeployOptions = {
  readonly investment: number;
  readonly stopLoss: number;
  readonly maxAllocation: number;
  readonly freeze: number;
  readonly person: TradingPerson;
} & PersonOptions;

export type PersonOptions = {
  readonly account: string;
  readonly agreementSigned: boolean;
  /** The vendor of the connection. */
  readonly broker: string;
};

export type TradingPerson = { readonly user: string; readonly connection: string; readonly account: string };

/** A published strategy with one version; returns the version's id. */
export async function insertStrategy({ pool, newId }: Rows, value: object, riskScore = 1): Promise<string> {
  const parsed = parseDefinition(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const [strategy, version] = [newId(), newId()];
  await pool.query(
    `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level,
       risk_score, min_investment_micro, status)
     values ($1, $1::uuid::text, $2, '', '', 'equity', 'momentum', 'us', 'low', $3, 1, 'published')`,
    [strategy, parsed.definition.name, riskScore],
  );
  await pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
     values ($1, $2, 1, $3, $4, now())`,
    [version, strategy, JSON.stringify(parsed.definition), definitionHash(parsed.definition)],
  );
  return version;
}

/** A person with every gate open and a connection to an account of their own. */
export async function insertPerson(
  { pool, newId }: Rows,
  {
    account = `DU${newId().slice(0, 6)}`,
    agreementSigned = true,
    broker = 'scripted',
  }: Partial<PersonOptions> = {},
): Promise<TradingPerson> {
  const [user, connection] = [newId(), newId()];
  await pool.query(
    `insert into users (id, email, password_hash, first_name, email_verified_at) values ($1, $2, 'x', 'A', now())`,
    [user, `${user}@example.test`],
  );
  await pool.query(
    `insert into risk_profiles (id, user_id, responses, score, risk_score, risk_tolerance, investment_experience,
       investment_objective, time_horizon, financial_situation, max_drawdown_tolerance, recommendations)
     values ($1, $1, '{}', 50, 3, 'm', 'm', 'm', 'm', 'm', 20, '[]')`,
    [user],
  );
  if (agreementSigned) {
    await pool.query(
      `insert into agreements (id, user_id, version, provider, envelope_id, status, document_hash, expires_at)
       values ($1, $2, $3, 'embedded', $1::uuid::text, 'signed', 'h', now())`,
      [newId(), user, AGREEMENT_VERSION],
    );
  }
  await pool.query(
    `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
     values ($1, $2, initcap($2), '', '', '', '{}', 'available', 1) on conflict do nothing`,
    [newId(), broker],
  );
  await pool.query(
    `insert into broker_connections (id, user_id, broker_id, status, sealed_credentials, account_id, expires_at)
     values ($1, $2, (select id from brokers where slug = $4), 'active', '\\x00', $3, now())`,
    [connection, user, account, broker],
  );
  return { user, connection, account };
}

/** A deployment that waits for the trader, of a new person by default. */
export async function insertDeployment(
  rows: Rows,
  versionId: string,
  options: Partial<DeployOptions> = {},
): Promise<DeploymentId> {
  const { user, connection } = options.person ?? (await insertPerson(rows, options));
  const { database, newId, now } = rows;
  const { investment = 10_000 } = options;
  const id = newId();
  const amount = toMicro(investment);
  await database.transaction().execute(async (trx) => {
    await sql`
      insert into deployments (id, user_id, strategy_id, strategy_version_id, broker_connection_id, status,
        investment_micro, return_base_micro, stop_loss_percentage, max_allocation_percent, freeze_on_drawdown_percent, cash_micro,
        equity_micro, peak_equity_micro, high_water_mark_micro, deployed_at)
      values (${id}, ${user}, (select strategy_id from strategy_versions where id = ${versionId}), ${versionId},
        ${connection}, 'pending', ${amount}, ${amount}, ${options.stopLoss ?? 0}, ${options.maxAllocation ?? 0},
        ${options.freeze ?? 0}, ${amount}, ${amount}, ${amount}, ${amount}, ${isoText(now())})`.execute(trx);
    await postTransaction(trx, openingPosting(id as DeploymentId, amount as Micro, now()));
  });
  return id as DeploymentId;
}
