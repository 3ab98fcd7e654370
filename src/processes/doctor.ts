// `npm run doctor`: whether this installation's settings, market data and clock are fit for trading, found out without trading.
// Exits with 1 and says what to change when something is not.
import { checkMarket, type Finding } from './doctor/check-market.ts';
import type { Environment } from './environment/environment.ts';
import { connectBrokers } from './wiring/connect-brokers.ts';
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
    return [
      settings,
      ...(await brokerSettings(environment)),
      ...(await checkMarket(connectMarketData(environment))),
    ];
  } catch (error) {
    return [{ subject: 'settings', isFit: false, detail: messageOf(error) }];
  }
}

async function brokerSettings({ brokers }: Environment): Promise<readonly Finding[]> {
  return Promise.all(
    brokers.map(async (settings) => {
      const subject = `broker settings of ${settings.choice}`;
      try {
        await connectBrokers({ brokers: [settings] }, { instruments: [], role: 'command' });
        return { subject, isFit: true, detail: `at ${settings.baseUrl}` };
      } catch (error) {
        return { subject, isFit: false, detail: messageOf(error) };
      }
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
