// Who runs this installation, as the served document says. While documents are being written, at build, each term is a place;
// a document that no server filled in is of the fictitious company.
import { FICTITIOUS_TERMS, type ProviderTerms, provider, TERM_PLACES } from '#rules/provider.ts';
import { providerStatements, STATEMENT_PLACES } from '#rules/provider-statements.ts';

const TERMS = readTerms();
export const PROVIDER = provider(TERMS);
export const STATEMENTS = TERMS === TERM_PLACES ? STATEMENT_PLACES : providerStatements(TERMS);

function readTerms(): ProviderTerms {
  if (typeof document === 'undefined') return TERM_PLACES;
  const said = document.querySelector('meta[name="provider"]')?.getAttribute('content');
  return said === null || said === undefined ? FICTITIOUS_TERMS : (JSON.parse(said) as ProviderTerms);
}
