// The script of the browser that shows pushes, run as a browser runs it.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const SCRIPT = readFileSync(new URL('../public/news-worker.js', import.meta.url), 'utf8');
const ORIGIN = 'https://bellwether.example';

type Page = { readonly went: string[] };

function worker(pages: Page[] = []) {
  const shown = new Map<string, unknown>();
  const opened: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const clients = {
    matchAll: async () =>
      pages.map(({ went }) => ({
        focus: async () => undefined,
        navigate: async (to: string) => went.push(to),
      })),
    openWindow: async (to: string) => opened.push(to),
  };
  const self = {
    location: { origin: ORIGIN },
    clients,
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    registration: {
      async showNotification(title: string, { body, tag, data }: Record<string, unknown>) {
        shown.set(String(tag), { title, body, data });
      },
    },
  };
  runInNewContext(SCRIPT, { self, URL });
  const send = async (name: string, event: object) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(name)!({ ...event, waitUntil: (given: Promise<unknown>) => (work = given) });
    await work;
  };
  return { shown, opened, send };
}

const pushed = (id: string) => ({
  data: {
    json: () => ({ id, title: 'Sold AAA', message: 'Calm Trend: sold 3 AAA.', path: '/deployments/1' }),
  },
});
const clicked = (path: string) => ({ notification: { close: () => undefined, data: { path } } });

test('the same push twice is shown once', async () => {
  const { shown, send } = worker();
  for (const id of ['a', 'a', 'b']) await send('push', pushed(id));
  const said = {
    title: 'Sold AAA',
    body: 'Calm Trend: sold 3 AAA.',
    data: { path: '/deployments/1' },
  };
  expect([...shown]).toEqual([
    ['a', said],
    ['b', said],
  ]);
});

test('a click goes to what it is about, in a page that is open or in a new one, and nowhere else', async () => {
  const page: Page = { went: [] };
  await worker([page]).send('notificationclick', clicked('/deployments/1'));
  expect(page.went).toEqual([`${ORIGIN}/deployments/1`]);
  const alone = worker();
  await alone.send('notificationclick', clicked('/deployments/1'));
  await alone.send('notificationclick', clicked('https://elsewhere.example/'));
  await alone.send('notificationclick', clicked('//elsewhere.example/'));
  expect(alone.opened).toEqual([`${ORIGIN}/deployments/1`]);
});
