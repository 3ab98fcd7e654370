import { call } from './call.ts';
import { CallError } from './call-error.ts';

/** Under which the browser keeps the id of its address for pushes. */
export const NEWS_BROWSER = 'newsBrowser';

/** The browser takes no further push. */
export async function endPushes(): Promise<void> {
  localStorage.removeItem(NEWS_BROWSER);
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** How long signing out waits for it. */
const WITHIN_MS = 1_500;

/** Whoever uses the browser next reads no news of the person who leaves: both ends forget it, each also without the other. */
export async function leaveNews(): Promise<void> {
  const id = localStorage.getItem(NEWS_BROWSER);
  if (id === null) return;
  // A browser that cannot unsubscribe gets nothing either, once the service has removed its address.
  const ended = endPushes().catch(() => undefined);
  await call('removeNewsAddress', { params: { id }, signal: AbortSignal.timeout(WITHIN_MS) }).catch(
    (error: unknown) => {
      if (!(error instanceof CallError || error instanceof DOMException)) throw error;
    },
  );
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, WITHIN_MS))]);
}
