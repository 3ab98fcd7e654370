// Wires adapters to the trader's ports, in this one place; all other code uses ports. It loads no server modules, so
// that a trader does not hold what only a server needs.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Instrument } from '#engine/market/instrument.ts';
import type { BrokerCredentials } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { brokerContracts } from '#records/brokerage/broker-contracts.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import { credentialsPurpose, openSecret } from '#records/brokerage/sealed-secret.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';
import { instant } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import type { Environment } from '../environment/environment.ts';
import { openKey } from '../environment/keys.ts';
import { openModels } from './open-models.ts';
import { connectBroker, type Role } from './connect-broker.ts';
import { openMarketData } from './connect-market-data.ts';
import { refuseOtherBroker } from './refuse-other-broker.ts';

/** What trader and server have in common. Throws an Error that names what is missing. */
export async function wirePorts(environment: Environment, handle: DatabaseHandle, role: Role) {
  const { marketData, tickers } = await openMarketData(environment, handle);
  const { database } = handle;
  await refuseOtherBroker(environment, handle);
  const shared = (server: string) => ({
    sharedLimiterOf: (userHash: string) => sharedRateLimiter(database, { server, userHash }),
    contractStore: brokerContracts(database, server),
  });
  const instruments = await listInstruments(marketData);
  return {
    marketData,
    broker: connectBroker(environment, { instruments, role, shared, ...(tickers && { tickers }) }),
    logger: pino({ ...LOG_OPTIONS, level: environment.logLevel }),
    now: () => instant(Date.now()),
  };
}

/** Throws an Error that names what is missing. */
export async function wireTrader(
  environment: Environment,
  handle: DatabaseHandle,
): Promise<TraderDependencies> {
  const { marketData, broker, logger } = await wirePorts(environment, handle, 'trader');
  const sealingKey = openKey(environment.keyEncryptionKeyFile);
  return {
    handle,
    broker,
    marketData,
    models: openModels(),
    openCredentials: (connectionId, sealed) =>
      JSON.parse(
        openSecret(sealed, { key: sealingKey, purpose: credentialsPurpose(connectionId) }),
      ) as BrokerCredentials,
    logger,
    newId: randomUUID,
    realNow: () => wallInstant(Date.now()),
  };
}

async function listInstruments(marketData: MarketDataFeed): Promise<readonly Instrument[]> {
  const answer = await marketData.instruments();
  if (!answer.ok) throw new Error(`the market feed does not answer: ${answer.message}`);
  return answer.value;
}
