import { randomUUID } from 'node:crypto';
import type { brokerageEndpoints } from '../../../src/contract/brokerage.ts';
import type { BrokerAccountId } from '../../../src/units/identifiers.ts';
import type { TestApp } from '../../support/test-app.ts';
import { brokerId, callbackOf, connectBroker, signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';
import { investor, order } from '../scene.ts';

const connected = async (app: TestApp) => {
  const { token, connectionId } = await investor(app);
  return { token, params: { id: connectionId } };
};
const begin = async (app: TestApp, slug: string) => ({
  token: (await signedInPerson(app)).token,
  body: { broker: await brokerId(app, slug), is_primary: true },
});

async function wayBack(app: TestApp): Promise<Record<string, string>> {
  const { token, body } = await begin(app, 'interactive-brokers');
  const begun = await app.request({ method: 'POST', url: '/api/broker-connections/', token, body });
  const address = new URL(callbackOf(begun.body.authorize_url), 'http://product.test');
  return Object.fromEntries(address.searchParams);
}

/** An investor who signs in once more, and has a second account since; `order` deploys in the first. */
async function choosing(app: TestApp) {
  const { person, body } = await order(app);
  const second = `DU${randomUUID().slice(0, 7)}` as BrokerAccountId;
  app.world.otherAccounts = [{ accountId: second, title: 'Savings', currency: 'USD' }];
  const id = await connectBroker(app, person);
  app.world.otherAccounts = [];
  return { sent: { token: person.token, params: { id }, body: { account: '1' } }, order: body };
}

export const brokerageCases: CasesOf<typeof brokerageEndpoints> = {
  listBrokers: { success: async () => ({}) },
  getBroker: {
    success: async (app) => ({ params: { id: await brokerId(app, 'interactive-brokers') } }),
  },
  listBrokerConnections: { success: async (app) => ({ token: (await connected(app)).token }) },
  createBrokerConnection: {
    success: (app) => begin(app, 'interactive-brokers'),
    broker_not_integrated: (app) => begin(app, 'somebody-else'),
    broker_unavailable: async (app) => {
      app.world.authorization = 'unreachable';
      return begin(app, 'interactive-brokers');
    },
  },
  getMyBrokerConnection: {
    success: async (app) => ({
      token: (await connected(app)).token,
      query: { broker: 'Interactive Brokers' },
    }),
    not_found: async (app) => ({ token: (await signedInPerson(app)).token }),
  },
  completeBrokerConnection: {
    success: async (app) => ({ query: await wayBack(app) }),
    invalid_token: async () => ({ query: { state: 'never-was-one' } }),
  },
  getBrokerConnection: { success: connected },
  changeBrokerConnection: {
    success: async (app) => ({ ...(await connected(app)), body: { is_primary: true } }),
  },
  removeBrokerConnection: {
    success: connected,
    in_use: async (app) => {
      const { person, body } = await order(app);
      await app.request({ method: 'POST', url: '/api/deployments/', token: person.token, body });
      return { token: person.token, params: { id: person.connectionId } };
    },
  },
  setPrimaryBrokerConnection: { success: connected },
  listCashStatements: { success: connected },
  chooseBrokerAccount: {
    success: async (app) => (await choosing(app)).sent,
    already_decided: async (app) => ({ ...(await connected(app)), body: { account: '0' } }),
    out_of_range: async (app) => {
      const { sent } = await choosing(app);
      return { ...sent, body: { account: '2' } };
    },
    in_use: async (app) => {
      const { sent, order: body } = await choosing(app);
      // A deployment in the account of before, made while the client chooses.
      await app.request({ method: 'POST', url: '/api/deployments/', token: sent.token, body });
      return sent;
    },
  },
  testBrokerConnection: { success: connected },
  getIbkrStatus: {
    success: async (app) => ({
      token: (await connected(app)).token,
      query: { broker: 'interactive-brokers' },
    }),
  },
};
