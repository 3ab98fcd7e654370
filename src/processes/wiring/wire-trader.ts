// Wires adapters to the trader's ports, in this one place; all other code uses ports. It loads no server modules, so
// that a trader does not hold what only a server needs.
import { randomUUID } from 'node:crypto';
import type { Instrument } from '#engine/market/instrument.ts';
import type { BrokerCredentials } from '#ports/broker.ts';
import type { OpenCredentials } from '#ports/brokers.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { brokerContracts } from '#records/brokerage/broker-contracts.ts';
import { sharedRequestWindow } from '#records/brokerage/shared-request-window.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import { credentialsPurpose, openSecret } from '#records/keys/sealed-secret.ts';
import type { Keyring } from '#records/keys/keyring.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';
import { instant } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import type { Environment } from '../environment/environment.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { openModels } from './open-models.ts';
import type { Role, Shared } from './broker-wiring.ts';
import { connectBrokers } from './connect-brokers.ts';
import { connectPractice } from './connect-practice.ts';
import { connectTracing } from './connect-tracing.ts';
import { readEngineHash } from './engine-sources.ts';
import { refuseOtherBrokers } from './refuse-other-brokers.ts';
import type { TraderPrices, World } from './world.ts';
import { openLogger } from './open-logger.ts';

/** What trader and server have in common. Throws an Error that names what is missing. */
export async function wirePorts(
  environment: Environment,
  { handle, world, role }: { readonly handle: DatabaseHandle; readonly world: World; readonly role: Role },
  trader: TraderPrices | null = null,
) {
  const { marketData, tickers } = await world.openMarketData(environment, handle, trader);
  const { database } = handle;
  await refuseOtherBrokers(environment, handle);
  const shared: Shared = ({ vendor, server }) => ({
    sharedLimiterOf: (userHash) => sharedRateLimiter(database, { server, userHash: `${vendor} ${userHash}` }),
    sharedWindowOf: (userHash, window) =>
      sharedRequestWindow(database, { user: `${vendor} ${userHash}`, ...window }),
    contractStore: brokerContracts(database, server),
  });
  const instruments = await listInstruments(marketData);
  const practice = connectPractice({ database, marketData, instruments });
  return {
    marketData,
    brokers: [
      ...(await connectBrokers(environment, { instruments, role, shared, ...(tickers && { tickers }) })),
      practice,
    ],
    practiceVenue: practice,
    logger: openLogger(environment),
    now: () => instant(Date.now()),
  };
}

/** Throws an Error that names what is missing. */
export async function wireTrader(
  environment: Environment,
  handle: DatabaseHandle,
  world: World,
): Promise<TraderDependencies> {
  let borrow: TraderPrices['borrow'] = async () => null;
  const asTrader = { handle, world, role: 'trader' } as const;
  const { marketData, brokers, logger } = await wirePorts(environment, asTrader, { borrow: () => borrow() });
  const keys = await knownKeys(environment, handle.database).keyring();
  keys.follow();
  return {
    handle,
    brokers,
    marketData,
    models: openModels(),
    deciders: await world.connectDeciders(environment),
    openCredentials: credentialsOpener(keys),
    lendPrices: (lent) => void (borrow = lent),
    withoutFees: environment.installation === 'own',
    engineHash: readEngineHash(),
    tracing: await connectTracing(environment, { role: 'trader', logger }),
    logger,
    newId: randomUUID,
    realNow: () => wallInstant(Date.now()),
  };
}

function credentialsOpener(keys: Keyring): OpenCredentials {
  return async <Vendor extends string>(
    connection: { readonly id: string; readonly vendor: Vendor },
    sealed: Uint8Array,
  ) =>
    JSON.parse(
      await openSecret(sealed, { keys, purpose: credentialsPurpose(connection) }),
    ) as BrokerCredentials<Vendor>;
}

async function listInstruments(marketData: MarketDataFeed): Promise<readonly Instrument[]> {
  const answer = await marketData.instruments();
  if (!answer.ok) throw new Error(`the market feed does not answer: ${answer.message}`);
  return answer.value;
}
