// `npm run doctor`: whether this installation is fit for trading, found out without trading: settings, key files, database, mail,
// brokers, market data and clock. Exits with 1 and says what to change when something is not.
import type { Brokers } from '#ports/brokers.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { findRunningDatabase } from '../database/embedded-postgres.ts';
import { worldDatabase } from '../database/world-database.ts';
import { checkArchive } from './check-archive.ts';
import { checkDatabase } from './check-database.ts';
import { checkKeys } from './check-keys.ts';
import { checkLanguageModel } from './check-language-model.ts';
import { checkMail } from './check-mail.ts';
import { checkMarket } from './check-market.ts';
import { checkSigningKeys } from './check-signing-keys.ts';
import { checkOwnAccounts, checkSessions } from './check-sessions.ts';
import { type Finding, fit, unfit } from './finding.ts';
import type { Environment } from '../environment/environment.ts';
import { connectBrokers } from '../wiring/connect-brokers.ts';
import { connectLanguageModel } from '../wiring/connect-language-model.ts';
import type { World } from '../wiring/world.ts';

export async function runDoctor(world: World): Promise<never> {
  const findings = await examine(world);
  for (const { subject, isFit, detail } of findings)
    process.stdout.write(`${isFit ? 'ok' : 'NOT OK'}  ${subject}: ${detail}\n`);
  process.exit(findings.every(({ isFit }) => isFit) ? 0 : 1);
}

async function examine(world: World): Promise<readonly Finding[]> {
  let environment: Environment;
  try {
    environment = world.runningEnvironment();
  } catch (error) {
    return [unfit('settings', messageOf(error))];
  }
  const connected = await Promise.all(environment.brokers.map((settings) => brokerOf(settings)));
  return [
    fit('settings', `MARKET=${environment.market}`),
    ...checkKeys(environment),
    ...connected.map(({ finding }) => finding),
    await checkMail(environment.mailUrl),
    await checkLanguageModel(connectLanguageModel(environment)),
    ...(await examineDatabase(environment)),
    ...(await checkOwnAccounts(connected.flatMap(({ brokers }) => brokers))),
    ...(await examineMarket(environment, world)),
  ];
}

async function examineDatabase(environment: Environment): Promise<readonly Finding[]> {
  const { databaseUrl, dataDir, brokers } = environment;
  const url = databaseUrl ?? findRunningDatabase(dataDir, worldDatabase(environment))?.url ?? null;
  const found = await checkDatabase(url);
  if (url === null || !found.hasTables) return [found];
  const handle = openDatabase(url, { poolSize: 4, onIdleError: () => undefined });
  try {
    return [
      found,
      ...(await checkArchive(handle)),
      ...(await checkSigningKeys(handle.database, dataDir)),
      ...(await checkSessions(handle, brokers)),
    ];
  } finally {
    await handle.close();
  }
}

async function examineMarket(environment: Environment, world: World): Promise<readonly Finding[]> {
  try {
    return await withMarket(environment, world, checkMarket);
  } catch (error) {
    return [unfit('market', messageOf(error))];
  }
}

/** With what the database knows of the shares, where there is one: a renamed share is found under its new name. */
async function withMarket<Found>(
  environment: Environment,
  world: World,
  look: (feed: MarketDataFeed) => Promise<Found>,
): Promise<Found> {
  const { databaseUrl, dataDir } = environment;
  const url = databaseUrl ?? findRunningDatabase(dataDir, worldDatabase(environment))?.url ?? null;
  const found = url === null ? null : await checkDatabase(url);
  if (url === null || found?.hasTables !== true)
    return look((await world.openMarketData(environment, null, null)).marketData);
  const handle = openDatabase(url, { poolSize: 2, onIdleError: () => undefined });
  try {
    return await look((await world.openMarketData(environment, handle, null)).marketData);
  } finally {
    await handle.close();
  }
}

async function brokerOf(
  settings: Environment['brokers'][number],
): Promise<{ readonly finding: Finding; readonly brokers: Brokers }> {
  const subject = `broker settings of ${settings.choice}`;
  try {
    const brokers = await connectBrokers({ brokers: [settings] }, { instruments: [], role: 'command' });
    return { finding: fit(subject, `at ${settings.baseUrl}`), brokers };
  } catch (error) {
    return { finding: unfit(subject, messageOf(error)), brokers: [] };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
