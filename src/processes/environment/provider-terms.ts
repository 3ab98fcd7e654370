// What the legal texts say of the provider, from the PROVIDER_ settings.
import {
  FICTITIOUS_TERMS,
  isPlaceholder,
  OWNER_TERMS,
  type ProviderTerms,
  termsBy,
} from '#rules/provider.ts';

/** Whose words stand where nothing is set: those of a company that does not exist, of the owner, or nobody's. */
type Otherwise = 'fictitious' | 'owner' | 'stated';

/** Throws an Error that names the setting which a legal text still lacks. */
export function readProvider(text: (name: string) => string | null, otherwise: Otherwise): ProviderTerms {
  const usual = otherwise === 'owner' ? OWNER_TERMS : FICTITIOUS_TERMS;
  return termsBy((term, setting) => {
    const said = text(setting);
    if (otherwise !== 'stated') return said ?? usual[term];
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
