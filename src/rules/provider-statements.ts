// Whole sentences about who runs the product. An installation that one person runs for themselves has no company and no licence,
// so that its sentences are others, not the same ones with other words in them.
import { OWNER_TERMS, type ProviderTerms, provider } from './provider.ts';

export type ProviderStatements = {
  /** At the foot of every page. */
  readonly imprint: string;
  readonly introduction: string;
  readonly complaints: string;
};

/** What a document has in place of each until it is served. */
export const STATEMENT_PLACES: ProviderStatements = {
  imprint: '%PROVIDER_IMPRINT%',
  introduction: '%PROVIDER_INTRODUCTION%',
  complaints: '%PROVIDER_COMPLAINTS_WAY%',
};

export function providerStatements(terms: ProviderTerms): ProviderStatements {
  if (isOwnOnly(terms)) return OWNER_STATEMENTS;
  const { companyName, registrationNumber, address, licenceAuthority, licenceNumber, complaintsEmail } =
    provider(terms);
  return {
    imprint: `${companyName}, licensed by the ${licenceAuthority}, ${licenceNumber}.`,
    introduction: `${companyName}, registration ${registrationNumber}, ${address}. Licensed as an investment adviser by the ${licenceAuthority}, licence ${licenceNumber}.`,
    complaints: `Write to ${complaintsEmail}. If we cannot resolve it, you may turn to the ombud named by the ${licenceAuthority}.`,
  };
}

/** Whether one person runs it for themselves alone. */
export function isOwnOnly({ companyName }: Pick<ProviderTerms, 'companyName'>): boolean {
  return companyName === OWNER_TERMS.companyName;
}

const OWNER_STATEMENTS: ProviderStatements = {
  imprint: 'One person runs this installation for themselves: there is no company, no licence and no client.',
  introduction:
    'One person runs this installation for themselves, on an account of their own. There is no company behind it, no licence, and no client. Where these pages say “we”, they mean the software.',
  complaints: 'Nobody else runs this installation, so there is nobody to complain to.',
};
