// `npm run doctor`: whether this installation is fit for trading, found out without trading: settings, key files, database, mail,
// brokers, market data and clock. Exits with 1 and says what to change when something is not.
import type { Brokers } from '#ports/brokers.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { findRunningDatabase } from './database/embedded-postgres.ts';
import { worldDatabase } from './database/world-database.ts';
import { checkDatabase } from './doctor/check-database.ts';
import { checkKeys } from './doctor/check-keys.ts';
import { checkMail } from './doctor/check-mail.ts';
import { checkMarket } from './doctor/check-market.ts';
import { checkOwnAccounts, checkSessions } from './doctor/check-sessions.ts';
import { type Finding, fit, unfit } from './doctor/finding.ts';
import type { Environment } from './environment/environment.ts';
import { connectBrokers } from './wiring/connect-brokers.ts';
import { connectMarketData, openMarketData } from './wiring/connect-market-data.ts';
import { runningEnvironment } from './wiring/running-environment.ts';

const findings = await examine();
for (const { subject, isFit, detail } of findings)
  process.stdout.write(`${isFit ? 'ok' : 'NOT OK'}  ${subject}: ${detail}\n`);
process.exit(findings.every(({ isFit }) => isFit) ? 0 : 1);

async function examine(): Promise<readonly Finding[]> {
  let environment: Environment;
  try {
    environment = runningEnvironment();
  } catch (error) {
    return [unfit('settings', messageOf(error))];
  }
  const connected = await Promise.all(environment.brokers.map((settings) => brokerOf(settings)));
  return [
    fit('settings', `MARKET=${environment.market}`),
    ...checkKeys(environment),
    ...connected.map(({ finding }) => finding),
    await checkMail(environment.mailUrl),
    ...(await examineDatabase(environment)),
    ...(await checkOwnAccounts(connected.flatMap(({ brokers }) => brokers))),
    ...(await examineMarket(environment)),
  ];
}

async function examineDatabase(environment: Environment): Promise<readonly Finding[]> {
  const { databaseUrl, dataDir, brokers } = environment;
  const url = databaseUrl ?? findRunningDatabase(dataDir, worldDatabase(environment));
  const found = await checkDatabase(url);
  if (url === null || !found.hasTables) return [found];
  const handle = openDatabase(url, { poolSize: 4, onIdleError: () => undefined });
  try {
    return [found, ...(await checkSessions(handle, brokers))];
  } finally {
    await handle.close();
  }
}

async function examineMarket(environment: Environment): Promise<readonly Finding[]> {
  try {
    return await withMarket(environment, checkMarket);
  } catch (error) {
    return [unfit('market', messageOf(error))];
  }
}

/** With what the database knows of the shares, where there is one: a renamed share is found under its new name. */
async function withMarket<Found>(
  environment: Environment,
  look: (feed: MarketDataFeed) => Promise<Found>,
): Promise<Found> {
  const { databaseUrl, dataDir } = environment;
  const url = databaseUrl ?? findRunningDatabase(dataDir, worldDatabase(environment));
  const found = url === null ? null : await checkDatabase(url);
  if (url === null || found?.hasTables !== true) return look(connectMarketData(environment));
  const handle = openDatabase(url, { poolSize: 2, onIdleError: () => undefined });
  try {
    return await look((await openMarketData(environment, handle)).marketData);
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
