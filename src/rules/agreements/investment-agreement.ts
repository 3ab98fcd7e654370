// What a person signs before money is traded: with a provider the investment agreement, filled in for both; without one a
// statement of the risks. Promises that one version of each is one wording; a changed word is a new version, and a person who
// signed an older one is asked again.
import { AGREEMENT_VERSION, type Provider } from '../provider.ts';
import type { Installation } from '../installation.ts';
import { agreementTitle } from './agreement-title.ts';
import { AGREEMENT_SECTIONS, LIMITS, RISK, type Section } from './sections.ts';

const AGREEMENT_TEMPLATE = 'investment-agreement';
/** It is no agreement with a provider: an installation that has one begins with data of its own. */
export const STATEMENT_TEMPLATE = 'statement-of-risks';

type Agreement = {
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

/** Where one person runs the product for themselves, there is nobody to agree with. */
export function agreementFor(
  client: AgreementClient,
  { installation, provider }: { readonly installation: Installation; readonly provider: Provider },
): Agreement {
  return installation === 'own' ? statementOfRisks(client, provider) : investmentAgreement(client, provider);
}

function investmentAgreement(client: AgreementClient, provider: Provider): Agreement {
  return {
    template: AGREEMENT_TEMPLATE,
    version: AGREEMENT_VERSION,
    language: 'en',
    title: agreementTitle('provider'),
    consent: `I have read this agreement to its end, and I agree to it with ${provider.companyName}.`,
    electronicConsent: electronicConsent(provider.contactEmail),
    preamble: [
      `This agreement is made between ${provider.companyName}, registration number ${provider.registrationNumber}, ${provider.address} (“${provider.productName}”, “we”), an investment adviser licensed in ${provider.countryOfLicence} by the ${provider.licenceAuthority} under number ${provider.licenceNumber}, and ${client.name} (“you”), e-mail ${client.email}, resident in ${client.countryName}.`,
      'It is about automated trading in an account that you hold, in your own name, at a broker that you choose. Please read all of it. It says what we may do for you, what you may lose, what you pay and how we use your data.',
    ],
    sections: numbered(AGREEMENT_SECTIONS, provider),
  };
}

/** The words next to a box of its own; neither box is ticked beforehand. */
function electronicConsent(contactEmail: string): string {
  return `I agree to sign electronically, and to receive this agreement, records and notices in electronic form. I can open and keep PDF files on this device. I may ask for paper copies, and I may withdraw this consent for the future, by writing to ${contactEmail}. If I leave before I finish, nothing is signed.`;
}

function statementOfRisks({ name, email }: AgreementClient, provider: Provider): Agreement {
  return {
    template: STATEMENT_TEMPLATE,
    version: AGREEMENT_VERSION,
    language: 'en',
    title: agreementTitle('own'),
    consent: 'I have read this statement to its end, and I know what I may lose.',
    electronicConsent:
      'I agree to sign electronically. I can open and keep PDF files on this device. If I leave before I finish, nothing is signed.',
    preamble: [
      `${name} (“you”), e-mail ${email}, runs ${provider.productName} for themselves, to trade an account of their own. Where this statement says “we”, it means the software.`,
      'There is no company behind this installation and no client. Nobody advises you, nobody watches what it does but you, and nobody is paid for it. This statement says what the software does in your account and what you may lose.',
    ],
    sections: numbered([WHAT_IT_DOES, LIMITS, RISK, RECORD], provider),
  };
}

const WHAT_IT_DOES: Section = {
  heading: 'What the software does',
  paragraphs: () => [
    'For each strategy that you deploy, it places, changes and cancels orders in your brokerage account, without asking you before each order, within the amount that you deploy and the limits that you set: stop loss, maximum allocation per trade, and the drawdown at which trading freezes. It cannot withdraw or transfer your money or securities.',
    'It trades with the keys that it was started with. Whoever has them can trade the account too; you can make them invalid at your broker at any time.',
    'You can pause a deployment or change its limits at any time. Pausing stops new orders; it does not sell what you hold. Neither does stopping the software: what you hold stays, and so do orders that rest at your broker.',
  ],
};

const RECORD: Section = {
  heading: 'This document',
  paragraphs: () => [
    'You sign by typing your name and pressing a button. The document is then sealed, so that any later change to it shows. It is kept with the data of this installation, for yourself.',
  ],
};

function numbered(sections: readonly Section[], provider: Provider): Agreement['sections'] {
  return sections.map((section, index) => ({
    heading: `${index + 1}. ${section.heading}`,
    paragraphs: section.paragraphs(provider),
  }));
}
