import type { brokerageEndpoints } from '../../../src/contract/brokerage.ts';
import type { TestApp } from '../../support/test-app.ts';
import { brokerId, callbackOf, signedInPerson } from '../../support/test-person.ts';
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
  testBrokerConnection: { success: connected },
  getIbkrStatus: { success: async (app) => ({ token: (await connected(app)).token }) },
};
