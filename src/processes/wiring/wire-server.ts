// Wires adapters to the server's ports.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { httpIdentityCheck } from '#adapters/identity-check/http/http-identity-check.ts';
import { printPdf } from '#adapters/printing/pdf/print-pdf.ts';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { createDeploymentReader } from '#server/deployments/deployment-reader.ts';
import { type Dependencies, USUAL_LIMITS } from '#server/http/dependencies.ts';
import { type Environment, hasSandboxBroker, tradesOwnAccount } from '../environment/environment.ts';
import { isDemoWorld } from '../environment/demo-world.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { historyThread } from '../history/history-thread.ts';
import { connectMail } from './connect-mail.ts';
import { connectPayments } from './connect-payments.ts';
import { connectSigning } from './connect-signing.ts';
import { wirePorts } from './wire-trader.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Throws an Error that names what is missing. */
export async function wireServer(environment: Environment, handle: DatabaseHandle): Promise<Dependencies> {
  const { marketData, brokers, practiceVenue, logger, now } = await wirePorts(environment, handle, 'api');
  const known = knownKeys(environment, handle.database);
  const keys = await known.keyring();
  keys.follow();
  const { mailbox } = connectMail(environment, handle.database);
  const webRoot = path.join(ROOT, 'src/web/dist');
  return {
    records: handle,
    findDeployment: createDeploymentReader(handle.pool, brokers),
    brokers,
    practiceVenue,
    brokerQuestions: createBrokerQuestions(handle),
    marketData,
    history: historyThread(environment.dataDir),
    ...(await connectSigning(environment, handle.database, known)),
    identityCheck: environment.identityCheck === null ? null : httpIdentityCheck(environment.identityCheck),
    payments: connectPayments(environment, handle.database),
    print: printPdf,
    // A reader of the mailbox can reset every password: never together with a real broker.
    mailbox: isDemoWorld(environment) ? mailbox : null,
    now,
    logger,
    keys,
    config: {
      publicUrl: environment.publicUrl,
      version: version(),
      installation: environment.installation,
      provider: environment.provider,
      webRoot: existsSync(path.join(webRoot, 'index.html')) ? webRoot : null,
      // Nobody sells plans to themselves.
      needsPlan: !hasSandboxBroker(environment) && !tradesOwnAccount(environment),
      staffNeedSecondFactor: !isDemoWorld(environment),
      takesPaperOnly: environment.live?.takesRealMoney === false,
      trustProxy: environment.trustProxy,
      checksAnswers: false,
      limits: { ...USUAL_LIMITS, signInsPerMinute: environment.signInsPerMinute },
    },
  };
}

function version(): string {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
