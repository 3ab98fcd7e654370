// `npm start` of a real installation: database, api, trader and worker on one machine. The catalogue is made on the first start,
// and for one person the account of their keys is connected. No other person is made: staff are invited.
import { readEnvironment, tradesOwnAccount } from '../environment/environment.ts';
import { refuseTakenPort, startProduct } from '../start/start-product.ts';
import { OWNER_EMAIL, ownerPasswordFile } from './owner.ts';

export function startInstallation(main: string): Promise<void> {
  return startProduct(main, async (tools) => {
    const { say } = tools;
    const environment = readEnvironment(process.env, 'installation');
    await refuseTakenPort(environment);
    // What a broker needs is named before anything is started.
    const { connectBrokers } = await import('../wiring/connect-brokers.ts');
    await connectBrokers(environment, { instruments: [], role: 'command' });
    tools.lock(environment);
    Object.assign(process.env, { DATABASE_URL: await tools.database(environment) });
    await tools.command('catalogue', environment);
    await tools.role('api');
    const { publicUrl, brokers, dataDir, live } = environment;
    say(`The marketplace is open at ${publicUrl}.`);
    const hasOwnAccount = tradesOwnAccount({ brokers });
    if (hasOwnAccount) await tools.command('own-account', environment);
    await tools.role('trader');
    await tools.role('worker');

    say('');
    say(`Bellwether is ready at ${publicUrl}`);
    if (hasOwnAccount)
      say(`Sign in as ${OWNER_EMAIL}; the first password is in ${ownerPasswordFile(dataDir)}`);
    for (const { choice, baseUrl, alpaca } of brokers)
      if (alpaca.keys === null)
        say(`Trading through ${choice} at ${baseUrl}. Register to connect an account there.`);
    if (live?.feed === 'delayed') say('ALPACA_FEED is delayed: prices of shares are delayed by 15 minutes.');
    if (live?.takesRealMoney === true) say('REAL_MONEY is yes: orders spend real money.');
    say('Stop with Ctrl-C.');
  });
}
