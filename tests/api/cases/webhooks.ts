import type { webhooksEndpoints } from '#contract/webhooks.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

const BODY = { url: 'https://hooks.example.com/bellwether', news: ['fills', 'updates'] };

async function made(app: TestApp) {
  const { token } = await signedInPerson(app);
  const { body } = await app.request({ method: 'POST', url: '/api/webhooks/', token, body: BODY });
  return { token, params: { id: body.webhook.id as string } };
}

const change = (app: TestApp, { token, params }: Awaited<ReturnType<typeof made>>, body: object) =>
  app.request({ method: 'PATCH', url: `/api/webhooks/${params.id}/`, token, body });

export const webhooksCases: CasesOf<typeof webhooksEndpoints> = {
  listWebhooks: { success: async (app) => ({ token: (await made(app)).token }) },
  createWebhook: {
    success: async (app) => ({ token: (await signedInPerson(app)).token, body: BODY }),
    out_of_range: async (app) => {
      const { token } = await signedInPerson(app);
      for (let nth = 0; nth < 5; nth++)
        await app.request({ method: 'POST', url: '/api/webhooks/', token, body: BODY });
      return { token, body: BODY };
    },
  },
  changeWebhook: { success: async (app) => ({ ...(await made(app)), body: { news: ['fills'] } }) },
  removeWebhook: { success: made },
  rotateWebhookSecret: { success: made },
  testWebhook: {
    success: made,
    illegal_move: async (app) => {
      const sent = await made(app);
      await change(app, sent, { is_on: false });
      return sent;
    },
  },
  listWebhookDeliveries: {
    success: async (app) => {
      const sent = await made(app);
      await app.request({ method: 'POST', url: `/api/webhooks/${sent.params.id}/test/`, token: sent.token });
      return sent;
    },
  },
};
