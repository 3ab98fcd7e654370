type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(address: string): string | null }): unknown;
};

/**
 * The page's policy lets no text become a script. The one thing that we do start from an address is a worker of our
 * own build; every other address is refused, and so is all markup and code given as text.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin, pathname } = new URL(address, location.href);
      return origin === location.origin && pathname.startsWith('/assets/') ? address : null;
    },
  });
}
