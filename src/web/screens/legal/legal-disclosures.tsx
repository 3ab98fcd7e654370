import { FEE_DUE_DAYS, PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { MINIMUM_AGE } from '#rules/eligibility/age.ts';
import { useHasProvider } from '../../call/installation.ts';
import { PROVIDER, STATEMENTS } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';
import { CLIENT_COUNTRIES } from '../../agreements/client-countries.ts';

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'Who we are',
    paragraphs: [STATEMENTS.introduction, 'A licence is not a judgement of our skill by any authority.'],
  },
  {
    heading: 'Who we serve',
    paragraphs: [
      `Residents of ${CLIENT_COUNTRIES} who are ${MINIMUM_AGE} or older. Nothing here is an offer where such an offer is not allowed.`,
    ],
  },
  {
    heading: 'Suitability',
    paragraphs: [
      'Every strategy has a risk score from 1 (least risky) to 5, and every client has a score on the same scale from the questionnaire. A client may only invest in strategies whose score is at or below their own. We rely on the answers that you give.',
      `The investment minimum is ${PROVIDER.minimumInvestment} unless a strategy states its own, which every strategy in the marketplace does.`,
    ],
  },
  {
    heading: 'Fees',
    paragraphs: [
      `The fee is performance only: ${PERFORMANCE_FEE_PERCENT}% of profit above the high-water mark, due within ${FEE_DUE_DAYS} days of profit recognition, billed weekly or monthly. There is no management or retainer fee. A performance fee can reward taking risk; the high-water mark and your own limits hold that in check.`,
    ],
  },
  {
    heading: 'Risks',
    paragraphs: [
      'Investing can lose part or all of the money invested; with margin, short positions, currencies, futures or options more than was invested. Automated execution can fail. Prices can jump past limits.',
      'Client account performance may be priced with a delay of up to 15 minutes. Position prices are updated daily.',
    ],
  },
  {
    heading: 'Custody and conflicts',
    paragraphs: [
      'Your assets stay with your broker, in your name. We cannot withdraw them. Brokers pay us nothing for your orders.',
      'Several clients can hold the same strategy. Their orders leave in a rotation that takes turns from signal to signal, so that nobody’s are always early or always late. Of one account exits leave first, then those that were decided first. Orders can be filled at different prices.',
    ],
  },
  {
    heading: 'Complaints',
    paragraphs: [STATEMENTS.complaints],
  },
];

const OWN_SECTIONS: readonly ProseSection[] = [
  { heading: 'Who runs this', paragraphs: [STATEMENTS.introduction] },
  {
    heading: 'Risks',
    paragraphs: [
      'Investing can lose part or all of the money invested; with margin, short positions, currencies, futures or options more than was invested. Automated execution can fail. Prices can jump past limits.',
    ],
  },
  {
    heading: 'Custody',
    paragraphs: ['Your assets stay with your broker, in your name. This software cannot withdraw them.'],
  },
];

export function LegalDisclosures() {
  const hasProvider = useHasProvider();
  return (
    <ProsePage
      title="Legal Disclosures"
      effective={PROVIDER.relationshipSummaryEffective}
      sections={hasProvider ? SECTIONS : OWN_SECTIONS}
    />
  );
}
