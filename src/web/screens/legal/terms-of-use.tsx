import { MINIMUM_AGE } from '#rules/eligibility/age.ts';
import { PROVIDER } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';
import { CLIENT_COUNTRIES } from '../../agreements/client-countries.ts';

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'Using the service',
    paragraphs: [
      `You may browse freely. To invest you must be ${MINIMUM_AGE} or older, reside in ${CLIENT_COUNTRIES}, hold a brokerage account in your own name, and sign the investment agreement, which then governs our advice and trading.`,
      'Keep your password to yourself and tell us at once when you think someone else knows it.',
    ],
  },
  {
    heading: 'What you may not do',
    paragraphs: [
      'Use someone else’s account, disturb the service or probe it beyond what we allow in writing, or resell what you see here.',
    ],
  },
  {
    heading: 'What we show',
    paragraphs: [
      'Figures of strategies are hypothetical unless they say otherwise. We correct errors when we find them. Prices may be delayed. Nothing on public pages is advice to you personally.',
    ],
  },
  {
    heading: 'Availability and liability',
    paragraphs: [
      'We build the service to be available but cannot promise that it always is. As far as the law allows, we are not liable for losses from markets, from your broker, or from interruptions beyond our control. Nothing here limits liability that the law does not let us limit.',
    ],
  },
  {
    heading: 'Ending',
    paragraphs: [
      'You may close your account at any time. We may close it when these terms are broken or a fee stays unpaid. Closing does not sell what you hold at your broker.',
    ],
  },
  {
    heading: 'Governing law',
    paragraphs: [
      `These terms are governed by the law of ${PROVIDER.governingLaw}. The courts of Johannesburg have jurisdiction. As far as the law of your country allows, you and we waive a trial by jury.`,
    ],
  },
];

export function TermsOfUse() {
  return (
    <ProsePage title="Terms of Use" effective={PROVIDER.relationshipSummaryEffective} sections={SECTIONS} />
  );
}
