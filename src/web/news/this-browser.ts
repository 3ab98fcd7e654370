// Pushes to the browser that shows this page.
import type { NewsAddress } from '#contract/news.ts';
import { endPushes, NEWS_BROWSER } from '../call/leave-news.ts';
import { NEWS_WORKER } from '../call/news-worker.ts';

export type BrowserState = 'unable' | 'forbidden' | 'off' | 'on';

export async function stateOfThisBrowser(addresses: readonly NewsAddress[]): Promise<BrowserState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return 'unable';
  const { state } = await navigator.permissions.query({ name: 'notifications' });
  if (state === 'denied') return 'forbidden';
  const id = localStorage.getItem(NEWS_BROWSER);
  return state === 'granted' && addresses.some((one) => one.id === id) ? 'on' : 'off';
}

type Subscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly public_key: string;
};

/** Asks the person, then the browser, then the service. */
export async function subscribeThisBrowser(
  publicKey: string,
  add: (subscription: Subscription) => Promise<NewsAddress>,
): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(FORBIDDEN);
  await navigator.serviceWorker.register(NEWS_WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key takes nothing that this one signed.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const made = await add({ endpoint, keys: { p256dh, auth }, public_key: publicKey });
  localStorage.setItem(NEWS_BROWSER, made.id);
}

const FORBIDDEN = 'The browser does not allow it.';

/** Where the removed address is that of this browser. */
export async function forgetThisBrowser(id: string): Promise<void> {
  if (localStorage.getItem(NEWS_BROWSER) === id) await endPushes();
}
