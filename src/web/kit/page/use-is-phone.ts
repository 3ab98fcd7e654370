import { useSyncExternalStore } from 'react';

/** Below Tailwind's `sm`. */
const PHONE = '(width < 40rem)';

export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}

/** Whether the window is as narrow as a phone, also after it was turned. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone, () => false);
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}
