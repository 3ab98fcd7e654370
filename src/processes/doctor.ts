// `npm run doctor`: whether this installation's settings, market data and clock are fit for trading, found out without trading.
// Exits with 1 and says what to change when something is not.
import { checkMarket, type Finding } from './doctor/check-market.ts';
import type { Environment } from './environment/environment.ts';
import { connectBroker } from './wiring/connect-broker.ts';
import { connectMarketData } from './wiring/connect-market-data.ts';
import { runningEnvironment } from './wiring/running-environment.ts';

const findings = await examine();
for (const { subject, isFit, detail } of findings)
  process.stdout.write(`${isFit ? 'ok' : 'NOT OK'}  ${subject}: ${detail}\n`);
process.exit(findings.every(({ isFit }) => isFit) ? 0 : 1);

async function examine(): Promise<readonly Finding[]> {
  try {
    const environment = runningEnvironment();
    const settings = { subject: 'settings', isFit: true, detail: `MARKET=${environment.market}` };
    return [settings, brokerSettings(environment), ...(await checkMarket(connectMarketData(environment)))];
  } catch (error) {
    return [{ subject: 'settings', isFit: false, detail: messageOf(error) }];
  }
}

function brokerSettings(environment: Environment): Finding {
  const { choice, baseUrl } = environment.broker;
  try {
    connectBroker(environment, { instruments: [], role: 'command' });
    return { subject: 'broker settings', isFit: true, detail: `BROKER=${choice} at ${baseUrl}` };
  } catch (error) {
    return { subject: 'broker settings', isFit: false, detail: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
