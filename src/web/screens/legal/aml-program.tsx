import { PROVIDER } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'What this program is for',
    paragraphs: [
      'To keep the service from being used to launder money or to finance terrorism, and to meet the duties of a financial services provider under the law of South Africa and of the countries in which our clients reside.',
    ],
  },
  {
    heading: 'Knowing our clients',
    paragraphs: [
      'We identify each client before an agreement is signed: name, date of birth, country of residence. The brokerage account must be in the client’s own name; the broker has verified the client’s identity before opening it. We never receive or pass on clients’ money.',
    ],
  },
  {
    heading: 'Watching and reporting',
    paragraphs: [
      'Checking clients against sanctions lists is a duty of the broker that opens and holds the account. Where an identity service is connected, it checks them a second time; where none is, the record says “not checked”. The service does not look for unusual patterns by itself: our staff see the accounts and can halt a client’s trading at once. Suspicious matters are reported to the Financial Intelligence Centre as the law requires, without telling the person concerned.',
    ],
  },
  {
    heading: 'Records',
    paragraphs: ['Records of identification and of transactions are kept for at least 5 years.'],
  },
  {
    heading: 'Responsibility',
    paragraphs: [
      `The compliance officer, ${PROVIDER.complianceOfficer}, is responsible for this program, trains those who work with clients, and has it reviewed every year. Questions: ${PROVIDER.contactEmail}.`,
    ],
  },
];

export function AmlProgram() {
  return (
    <ProsePage
      title="Anti-Money-Laundering Program"
      effective={PROVIDER.relationshipSummaryEffective}
      sections={SECTIONS}
    />
  );
}
