// Practice in a mixed world: the product's own venue over the world's feed, and deployments on it as the product writes
// them. Its ids and tokens follow from the seed.
import { createHash } from 'node:crypto';
import { practice } from '#adapters/broker/practice/practice.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { createDeployment } from '#records/deployments/deployments.ts';
import { openingPosting, postTransaction } from '#records/portfolio/ledger.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { connectPractice, setShadow } from '#records/practice/practice-connections.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  StrategyId,
  StrategyVersionId,
  UserId,
} from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import type { Rows, TradingPerson } from '../support/trading-rows.ts';

export type Terms = {
  readonly versionId: string;
  readonly investment: number;
  readonly stopLoss: number;
  readonly maxAllocation: number;
  readonly freeze: number;
};

export type PracticeSide = {
  readonly broker: Broker;
  deploy(person: TradingPerson, terms: Terms): Promise<DeploymentId>;
  /** It goes on beside a real one. */
  shadow(practice: DeploymentId, real: DeploymentId): Promise<void>;
};

export function openPracticeSide({
  rows,
  feed,
  prices,
  credentials,
}: {
  readonly rows: Rows;
  readonly feed: MarketDataFeed;
  readonly prices: PriceSource;
  /** By connection; those of practice are added. */
  readonly credentials: Map<string, BrokerCredentials>;
}): PracticeSide {
  const { database, pool, newId, now } = rows;
  const store = practiceStore(database);
  return {
    broker: practice({
      store,
      feed,
      findInstrument: (symbol) => prices.instruments.find((one) => one.symbol === symbol) ?? null,
    }),
    async deploy({ user }, { versionId, investment, ...limits }) {
      const [id, connectionId] = [newId() as DeploymentId, newId() as BrokerConnectionId];
      const accountId = `PRACTICE-${connectionId}` as BrokerAccountId;
      const accessToken = `the token of ${accountId}`;
      const at = now();
      const cash = toMicro(investment);
      const tokenHash = createHash('sha256').update(accessToken).digest();
      await store.open({ accountId, tokenHash, cash, at });
      credentials.set(connectionId, { accessToken });
      const { rows: found } = await pool.query<{ id: StrategyId }>(
        'select strategy_id as id from strategy_versions where id = $1',
        [versionId],
      );
      await database.transaction().execute(async (trx) => {
        const userId = user as UserId;
        const sealedCredentials = Buffer.of(0);
        await connectPractice(trx, { id: connectionId, userId, accountId, sealedCredentials, at });
        await createDeployment(trx, {
          id,
          userId,
          strategyId: found[0]!.id,
          versionId: versionId as StrategyVersionId,
          connectionId,
          mode: 'practice',
          investment: cash,
          settings: {
            stop_loss_percentage: limits.stopLoss,
            max_allocation_per_trade: limits.maxAllocation,
            freeze_on_drawdown: limits.freeze,
          },
          disconnectPolicy: { choice: 'wait', minutes: 0 },
          tripwireChoice: 'notify',
          awaitsCash: false,
          at,
        });
        await postTransaction(trx, openingPosting(id, cash, at));
      });
      return id;
    },
    shadow: (practiceId, real) =>
      database.transaction().execute((trx) => setShadow(trx, { practice: practiceId, real })),
  };
}
