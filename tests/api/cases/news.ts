import { createECDH } from 'node:crypto';
import type { newsEndpoints } from '#contract/news.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

let made = 0;

/** As a browser answers. */
async function subscription(app: TestApp, token: string) {
  const { body } = await app.request({ url: '/api/news/', method: 'GET', token });
  const browser = createECDH('prime256v1');
  browser.setPrivateKey(Buffer.alloc(32, 7));
  made += 1;
  return {
    endpoint: `https://push.example.com/${made}`,
    keys: { p256dh: browser.getPublicKey().toString('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    public_key: body.push.public_key as string,
  };
}

async function withBrowser(app: TestApp) {
  const { token } = await signedInPerson(app);
  const body = await subscription(app, token);
  const added = await app.request({ method: 'POST', url: '/api/news/browsers/', token, body });
  return { token, params: { id: added.body.id as string } };
}

async function withManyBrowsers(app: TestApp) {
  const { token } = await signedInPerson(app);
  for (let nth = 0; nth < 10; nth++) {
    const body = await subscription(app, token);
    await app.request({ method: 'POST', url: '/api/news/browsers/', token, body });
  }
  return token;
}

export const newsCases: CasesOf<typeof newsEndpoints> = {
  getNewsOutside: { success: async (app) => ({ token: (await withBrowser(app)).token }) },
  addBrowser: {
    success: async (app) => {
      const { token } = await signedInPerson(app);
      return { token, body: await subscription(app, token) };
    },
    out_of_range: async (app) => {
      const token = await withManyBrowsers(app);
      return { token, body: await subscription(app, token) };
    },
  },
  linkTelegram: {
    success: async (app) => ({ token: (await signedInPerson(app)).token }),
    not_found: async (app) => {
      // Of an installation without a bot.
      Object.assign(app.dependencies.config, { telegramBot: null });
      return { token: (await signedInPerson(app)).token };
    },
    out_of_range: async (app) => ({ token: await withManyBrowsers(app) }),
  },
  removeNewsAddress: { success: withBrowser },
  testNewsAddress: { success: withBrowser },
  listNewsDeliveries: {
    success: async (app) => {
      const sent = await withBrowser(app);
      await app.request({
        method: 'POST',
        url: `/api/news/addresses/${sent.params.id}/test/`,
        token: sent.token,
      });
      return sent;
    },
  },
};
