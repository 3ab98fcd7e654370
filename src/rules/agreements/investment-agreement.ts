// The investment agreement: its wording, filled in for one provider and one client. Promises that one version is one
// wording; a changed word is a new version, and a person who signed an older one is asked again.
import { AGREEMENT_VERSION, type Provider } from '../provider.ts';
import { AGREEMENT_SECTIONS } from './sections.ts';

const AGREEMENT_TEMPLATE = 'investment-agreement';

type InvestmentAgreement = {
  readonly template: string;
  readonly version: string;
  readonly language: string;
  readonly title: string;
  readonly consent: string;
  readonly electronicConsent: string;
  readonly preamble: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
};

type AgreementClient = {
  readonly name: string;
  readonly email: string;
  readonly countryName: string;
};

export function investmentAgreement(client: AgreementClient, provider: Provider): InvestmentAgreement {
  return {
    template: AGREEMENT_TEMPLATE,
    version: AGREEMENT_VERSION,
    language: 'en',
    title: 'Investment Agreement',
    consent: `I have read this agreement to its end, and I agree to it with ${provider.companyName}.`,
    electronicConsent: electronicConsent(provider.contactEmail),
    preamble: [
      `This agreement is made between ${provider.companyName}, registration number ${provider.registrationNumber}, ${provider.address} (“${provider.productName}”, “we”), an investment adviser licensed in ${provider.countryOfLicence} by the ${provider.licenceAuthority} under number ${provider.licenceNumber}, and ${client.name} (“you”), e-mail ${client.email}, resident in ${client.countryName}.`,
      'It is about automated trading in an account that you hold, in your own name, at a broker that you choose. Please read all of it. It says what we may do for you, what you may lose, what you pay and how we use your data.',
    ],
    sections: AGREEMENT_SECTIONS.map((section, index) => ({
      heading: `${index + 1}. ${section.heading}`,
      paragraphs: section.paragraphs(provider),
    })),
  };
}

/** The words next to a box of its own; neither box is ticked beforehand. */
function electronicConsent(contactEmail: string): string {
  return `I agree to sign electronically, and to receive this agreement, records and notices in electronic form. I can open and keep PDF files on this device. I may ask for paper copies, and I may withdraw this consent for the future, by writing to ${contactEmail}. If I leave before I finish, nothing is signed.`;
}
