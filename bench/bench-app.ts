// The whole server with everything outside it left out: what a bench does not use fails when it is called.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { BrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import type { PracticeVenue } from '#ports/practice-venue.ts';
import type { SigningPort } from '#ports/signing.ts';
import { FICTITIOUS_TERMS } from '#rules/provider.ts';
import { createApp } from '#server/app.ts';
import { createDeploymentReader } from '#server/deployments/deployment-reader.ts';
import type { Dependencies } from '#server/http/dependencies.ts';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import { instant } from '#units/instant.ts';

export function benchApp(
  own: Pick<Dependencies, 'records' | 'keys'> & Partial<Dependencies>,
): Promise<FastifyInstance> {
  return createApp({
    findDeployment: createDeploymentReader(own.records.pool, []),
    brokers: [] as const,
    brokerQuestions: {} as BrokerQuestions,
    marketData: {} as MarketDataFeed,
    history: () => Promise.reject(new Error('no history is kept here')),
    practiceVenue: {} as PracticeVenue,
    signing: {} as SigningPort,
    signingCeremony: null,
    vendorSigning: null,
    identityCheck: null,
    languageModel: null,
    payments: {} as PaymentsPort,
    print: () => Promise.reject(new Error('nothing is printed here')),
    mountPages: async () => undefined,
    now: () => instant(Date.now()),
    // As in production: what is worth a line is written, here to nowhere.
    logger: pino(LOG_OPTIONS, { write: () => undefined }) as FastifyBaseLogger,
    config: {
      publicUrl: 'http://127.0.0.1',
      version: 'bench',
      installation: 'demonstration',
      provider: FICTITIOUS_TERMS,
      webRoot: null,
      telegramBot: null,
      needsPlan: false,
      staffNeedSecondFactor: false,
      takesPaperOnly: false,
      trustProxy: false,
      checksAnswers: false,
      limits: {
        requestsPerMinute: 1e9,
        requestsPerMinuteOfKey: 1e9,
        signInsPerMinute: 1e9,
        wrongPasswordsPerMinute: 1e9,
        wrongPasswordsPerDay: 1e9,
      },
    },
    ...own,
  });
}
