import { NEWS_WORKER } from '../call/news-worker.ts';

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(address: string): string | null }): unknown;
};

/**
 * The page's policy lets no text become a script. The one thing that we do start from an address is a worker of our
 * own build, or the one that shows pushes; every other address is refused, and so is all markup and code given as text.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin, pathname } = new URL(address, location.href);
      const isOurs = pathname.startsWith('/assets/') || pathname === NEWS_WORKER;
      return origin === location.origin && isOurs ? address : null;
    },
  });
}
