import { useEffect, useState } from 'react';

/** A pause for breath at the broker, as a reset on a quick sandbox clock is, shall not make a page jump. */
const BLINK_MS = 5_000;

/** Whether something that began then lasts for more than an instant; true when it has no start time. */
export function useHasLasted(since: string | null): boolean {
  const [blinkedSince, setBlinkedSince] = useState<string | null>(null);
  useEffect(() => {
    if (since === null || leftOf(since) === 0) return undefined;
    const timer = setTimeout(() => setBlinkedSince(since), leftOf(since));
    return () => clearTimeout(timer);
  }, [since]);
  return since === null || blinkedSince === since || leftOf(since) === 0;
}

/** Never longer than a blink, however wrong the clock of this device is. */
function leftOf(since: string): number {
  return Math.min(BLINK_MS, Math.max(0, Date.parse(since) + BLINK_MS - Date.now()));
}
