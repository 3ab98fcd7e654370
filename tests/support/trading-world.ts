// A strategy, people who deployed it and a trader between a scripted market and a scripted venue, on real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { definitionHash } from '../../src/engine/strategy/definition-hash.ts';
import { parseDefinition } from '../../src/engine/strategy/parse-definition.ts';
import { openingPosting, postTransaction } from '../../src/records/ledger.ts';
import { AGREEMENT_VERSION } from '../../src/rules/provider.ts';
import { saveInstruments } from '../../src/records/instruments.ts';
import { createTrader, type Trader } from '../../src/trader/trader.ts';
import type { DeploymentId } from '../../src/units/identifiers.ts';
import { type Instant, isoText } from '../../src/units/instant.ts';
import { type Micro, toMicro } from '../../src/units/money.ts';
import { NO_MODELS } from './no-models.ts';
import { scriptedMarket, type ScriptedMarket } from './scripted-market.ts';
import { scriptedVenue, type ScriptedVenue } from './scripted-venue.ts';
import type { TestDatabase } from './test-database.ts';

export type TradingWorld = {
  readonly market: ScriptedMarket;
  readonly venue: ScriptedVenue;
  readonly trader: Trader;
  readonly problems: string[];
  /** Another trader with an empty memory, as after a kill: the old one's lease is gone with it. */
  restart(): Promise<Trader>;
  addStrategy(definition: object, riskScore?: number): Promise<string>;
  deploy(versionId: string, options?: Partial<DeployOptions>): Promise<DeploymentId>;
  /** Lets real time pass for pauses between attempts. */
  wait(ms: number): void;
};

export type DeployOptions = {
  readonly investment: number;
  readonly stopLoss: number;
  readonly maxAllocation: number;
  readonly freeze: number;
  readonly account: string;
  readonly agreementSigned: boolean;
};

/** Long AAA and BBB, each while its close is above 30; traded when that changes. */
export const BOTH_ABOVE_30 = {
  language: 'bellwether-strategy/1',
  name: 'Both above thirty',
  universe: ['AAA', 'BBB'],
  benchmark: 'AAA',
  schedule: { every: 'day' },
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 30 },
    exitLong: { op: 'below', left: 'close', right: 30 },
  },
  gross: 0.8,
};

export async function tradingWorld({ database, pool, close }: TestDatabase): Promise<TradingWorld> {
  const market = scriptedMarket();
  const venue = scriptedVenue(market);
  const problems: string[] = [];
  await saveInstruments(database, market.instruments, 'sandbox');
  let real = 1_000_000;
  const log = (level: string) => (_: object, message: string) => {
    if (level !== 'info') problems.push(message);
  };
  const open = () =>
    createTrader({
      handle: { database, pool, close },
      broker: venue.broker,
      marketData: market.feed,
      models: NO_MODELS,
      openCredentials: () => ({}),
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
      newId: randomUUID,
      realNow: () => (real += 1) as Instant,
    });
  const world = {
    market,
    venue,
    problems,
    trader: open(),
    async restart() {
      await world.trader.close();
      world.trader = open();
      return world.trader;
    },
    wait: (ms: number) => void (real += ms),
    async addStrategy(value: object, riskScore = 1) {
      const parsed = parseDefinition(value);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
      const [strategy, version] = [randomUUID(), randomUUID()];
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
    },
    async deploy(versionId: string, options: Partial<DeployOptions> = {}) {
      const {
        account = `DU${randomUUID().slice(0, 6)}`,
        investment = 10_000,
        agreementSigned = true,
      } = options;
      const [user, connection, id] = [randomUUID(), randomUUID(), randomUUID()];
      await pool.query(`insert into users (id, email, password_hash, first_name) values ($1, $2, 'x', 'A')`, [
        user,
        `${user}@example.test`,
      ]);
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
          [randomUUID(), user, AGREEMENT_VERSION],
        );
      }
      await pool.query(
        `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
         values ($1, 'scripted', 'Scripted', '', '', '', '{}', 'available', 1) on conflict do nothing`,
        [randomUUID()],
      );
      await pool.query(
        `insert into broker_connections (id, user_id, broker_id, status, sealed_credentials, account_id, expires_at)
         values ($1, $2, (select id from brokers where slug = 'scripted'), 'active', '\\x00', $3, now())`,
        [connection, user, account],
      );
      const amount = toMicro(investment);
      await database.transaction().execute(async (trx) => {
        await sql`
          insert into deployments (id, user_id, strategy_id, strategy_version_id, broker_connection_id, status,
            investment_micro, stop_loss_percent, max_allocation_percent, freeze_on_drawdown_percent, cash_micro,
            equity_micro, peak_equity_micro, high_water_mark_micro, deployed_at)
          values (${id}, ${user}, (select strategy_id from strategy_versions where id = ${versionId}), ${versionId},
            ${connection}, 'pending', ${amount}, ${options.stopLoss ?? 0}, ${options.maxAllocation ?? 0},
            ${options.freeze ?? 0}, ${amount}, ${amount}, ${amount}, ${amount}, ${isoText(market.now())})`.execute(
          trx,
        );
        await postTransaction(trx, openingPosting(id as DeploymentId, amount as Micro, market.now()));
      });
      return id as DeploymentId;
    },
  };
  return world;
}
