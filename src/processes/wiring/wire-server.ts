// Wires adapters to the server's ports.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { httpIdentityCheck } from '#adapters/identity-check/http/http-identity-check.ts';
import { printPdf } from '#adapters/printing/pdf/print-pdf.ts';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { createDeploymentReader } from '#server/deployments/deployment-reader.ts';
import { type Dependencies, USUAL_LIMITS } from '#server/http/dependencies.ts';
import { toMicro } from '#units/money.ts';
import type { Environment } from '../environment/environment.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { historyThread } from '../history/history-thread.ts';
import { connectLanguageModel } from './connect-language-model.ts';
import { connectDocuments } from './connect-documents.ts';
import { connectSigning } from './connect-signing.ts';
import { connectTracing } from './connect-tracing.ts';
import { productVersion } from './product-version.ts';
import { wirePorts } from './wire-trader.ts';
import type { World } from './world.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Throws an Error that names what is missing. */
export async function wireServer(
  environment: Environment,
  handle: DatabaseHandle,
  world: World,
): Promise<Dependencies> {
  const asApi = { handle, world, role: 'api' } as const;
  const { marketData, brokers, practiceVenue, logger, now } = await wirePorts(environment, asApi);
  const known = knownKeys(environment, handle.database);
  const keys = await known.keyring();
  keys.follow();
  const webRoot = path.join(ROOT, 'src/web/dist');
  const documents = connectDocuments(environment);
  return {
    records: handle,
    findDeployment: createDeploymentReader(handle.pool, brokers),
    brokers,
    practiceVenue,
    brokerQuestions: createBrokerQuestions(handle),
    marketData,
    history: historyThread(environment.dataDir),
    ...(await connectSigning(environment, { database: handle.database, documents }, known)),
    identityCheck: environment.identityCheck === null ? null : httpIdentityCheck(environment.identityCheck),
    languageModel: openLanguageModel(environment),
    payments: world.connectPayments(environment, handle.database),
    print: printPdf,
    documents,
    tracing: await connectTracing(environment, { role: 'api', logger }),
    mountPages: (app) => world.mountPages(app, environment, handle.database),
    now,
    logger,
    keys,
    config: {
      publicUrl: environment.publicUrl,
      version: productVersion(),
      installation: environment.installation,
      provider: environment.provider,
      webRoot: existsSync(path.join(webRoot, 'index.html')) ? webRoot : null,
      telegramBot: environment.telegram?.bot ?? null,
      // In the demonstration plans are free, and nobody sells plans to themselves.
      needsPlan: environment.installation === 'provider',
      staffNeedSecondFactor: world.name === 'installation',
      takesPaperOnly: environment.live?.takesRealMoney === false,
      trustProxy: environment.trustProxy,
      checksAnswers: false,
      limits: { ...USUAL_LIMITS, signInsPerMinute: environment.signInsPerMinute },
    },
  };
}

function openLanguageModel(environment: Environment): Dependencies['languageModel'] {
  const port = connectLanguageModel(environment);
  if (port === null || environment.languageModel === null) return null;
  const { calls, tokens, dollars } = environment.languageModel.daily;
  return { port, daily: { calls, tokens, money: toMicro(dollars) } };
}
