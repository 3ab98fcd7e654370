// What the legal texts say of the provider, from the PROVIDER_ settings.
import type { Installation } from '#rules/installation.ts';
import {
  FICTITIOUS_TERMS,
  isPlaceholder,
  OWNER_TERMS,
  type ProviderTerms,
  termsBy,
} from '#rules/provider.ts';

/** Throws an Error that names the setting which a legal text of a provider still lacks. */
export function readProvider(
  text: (name: string) => string | null,
  installation: Installation,
): ProviderTerms {
  const usual = installation === 'own' ? OWNER_TERMS : FICTITIOUS_TERMS;
  return termsBy((term, setting) => {
    const said = text(setting);
    if (installation !== 'provider') return said ?? usual[term];
    if (said === null)
      throw new Error(
        `${setting} is not set, and the legal texts of MARKET=live name it. Set it to what your clients may rely on`,
      );
    if (isPlaceholder(said))
      throw new Error(
        `${setting} is "${said}", a placeholder in the legal texts: set what your clients may rely on`,
      );
    return said;
  });
}
