// What a real installation has of its own: live prices, and nothing that only pretends.
import type { MailPort } from '#ports/mail.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import { instant } from '#units/instant.ts';
import type { LiveMarket } from '../environment/live-market.ts';
import { type Environment, readEnvironment } from '../environment/environment.ts';
import { plainListings } from '../seed/catalogue/plain-listings.ts';
import { connectMail } from '../wiring/connect-mail.ts';
import { connectPayments } from '../wiring/connect-payments.ts';
import type { World } from '../wiring/world.ts';

export const INSTALLATION: World = {
  name: 'installation',
  runningEnvironment: () => readEnvironment(process.env, 'installation'),
  async openMarketData(environment, handle, trader) {
    const { openLiveMarket } = await import('./connect-live-market.ts');
    return openLiveMarket(liveOf(environment), handle, trader);
  },
  clockOf: () => async () => ({ now: instant(Date.now()), mode: 'live' }),
  connectMail: (environment) => connectMail(environment, noMailServer),
  connectPayments: (environment, database) => connectPayments(environment, database, noPayments),
  async connectDeciders(environment) {
    if (environment.languageModel === null) return [];
    const { connectLanguageModel } = await import('../wiring/connect-language-model.ts');
    const model = connectLanguageModel(environment);
    return model === null ? [] : [model];
  },
  listings: async (instruments) => plainListings(instruments, 'live'),
  mountPages: async () => undefined,
};

function liveOf({ live }: Pick<Environment, 'live'>): LiveMarket {
  if (live === null) throw new Error('MARKET is not live');
  return live;
}

/** One person alone may do without; for clients the settings require a server. */
function noMailServer(): MailPort {
  return { send: async () => ({ outcome: 'nowhere', reason: 'MAIL_URL is not set' }) };
}

/** Nobody is charged where one person runs the product for themselves; for clients the settings require a service. */
function noPayments(): PaymentsPort {
  const unavailable = { outcome: 'unavailable', reason: 'no service takes payments here' } as const;
  return {
    vendor: 'none',
    takesMoney: true,
    charge: async () => unavailable,
    find: async () => ({ outcome: 'none' }),
    withdraw: async () => ({ outcome: 'none' }),
    refund: async () => unavailable,
    findDispute: async () => unavailable,
    erase: async () => ({ outcome: 'erased' as const }),
    openMeansPage: null,
    notices: null,
  };
}
