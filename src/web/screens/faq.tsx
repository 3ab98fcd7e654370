import { feeExampleText } from '#rules/fees/fee-example.ts';
import { HIGH_WATER_MARK_TERM, SETTLED_PROFIT_TERM } from '#rules/fees/fee-terms.ts';
import { FEE_DUE_DAYS, PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { MINIMUM_AGE } from '#rules/eligibility/age.ts';
import { useHasProvider } from '../call/installation.ts';
import { PROVIDER, STATEMENTS } from '../call/provider.ts';
import { ProsePage, type ProseSection } from '../kit/page/prose-page.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { CLIENT_COUNTRIES } from '../agreements/client-countries.ts';

const LOSSES: ProseSection = {
  heading: 'Can I lose money?',
  paragraphs: [
    'Yes. You can lose part or all of what you deploy. Limits such as a stop loss decide when an order is sent, not the price at which it is filled.',
    <>
      The results shown for strategies are hypothetical. Please read the{' '}
      <TextLink to="/hypothetical-performance-disclosures">hypothetical performance disclosures</TextLink>.
    </>,
  ],
};

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'What investment services and advice can you provide me?',
    paragraphs: [
      `${PROVIDER.companyName} is a licensed investment adviser in ${PROVIDER.countryOfLicence}. We offer automated strategies to retail investors online. You choose a strategy; its trades are made in your own brokerage account, in your name.`,
      `Our clients reside in ${CLIENT_COUNTRIES} and are ${MINIMUM_AGE} or older.`,
      'We do not hold your money or your securities, and we cannot withdraw them.',
    ],
  },
  {
    heading: 'What does it cost?',
    paragraphs: [
      `A performance fee of ${PERFORMANCE_FEE_PERCENT}% of profit: no management fee and no retainer. A subscription plan, if you choose a paid one, costs what is shown before you confirm it.`,
      HIGH_WATER_MARK_TERM,
      SETTLED_PROFIT_TERM,
      feeExampleText(),
      `The fee is billed weekly or monthly and is due within ${FEE_DUE_DAYS} days of profit recognition. A missed payment leads to account closure and stopped strategy execution.`,
      'Your broker charges its own commissions and other costs. You pay them, and the results that we show include them.',
    ],
  },
  {
    heading: 'Which strategies may I use?',
    paragraphs: [
      'Every strategy has a risk score from 1 (least risky) to 5. A questionnaire gives you a score on the same scale. You may invest in strategies whose score is at or below your own.',
    ],
  },
  LOSSES,
  {
    heading: 'How do I start?',
    paragraphs: [
      <>
        Choose a model in the <TextLink to="/marketplace">marketplace</TextLink>, press Deploy Now, answer the
        risk questionnaire, sign the agreement, connect your broker and set your amount and limits. The{' '}
        <TextLink to="/broker-documentations">broker documentation</TextLink> shows each step.
      </>,
    ],
  },
  {
    heading: 'How current are my account figures?',
    paragraphs: [
      'Account performance may be up to 15 minutes delayed. The prices of positions are updated daily. Your broker’s statement is the record of what you own.',
    ],
  },
  {
    heading: 'How much do I need?',
    paragraphs: [
      'Each strategy names its own minimum investment. A broker may ask for more: $25,000 to day trade actively in the USA, slightly more advised. That rule was replaced in 2026; the requirement of your own broker applies.',
    ],
  },
  {
    heading: 'How do I stop?',
    paragraphs: [
      'Pause a strategy at any time: no new orders are placed and your positions stay open. To sell everything, request a liquidation; our support approves it before orders are placed.',
    ],
  },
];

const OWN_SECTIONS: readonly ProseSection[] = [
  { heading: 'Who runs this?', paragraphs: [STATEMENTS.introduction] },
  {
    heading: 'What does it cost?',
    paragraphs: [
      'Using this software costs nothing. Your broker charges its own commissions and other costs; you pay them, and the results that are shown include them.',
    ],
  },
  LOSSES,
  {
    heading: 'How do I start?',
    paragraphs: [
      <>
        Choose a model in the <TextLink to="/marketplace">marketplace</TextLink>, press Deploy Now, answer the
        risk questionnaire, sign the statement of risks, and set your amount and limits. Your account is
        connected already.
      </>,
    ],
  },
  {
    heading: 'How do I stop?',
    paragraphs: [
      'Pause a strategy at any time: no new orders are placed and your positions stay open. Stopping the software sells nothing either.',
    ],
  },
];

export function Faq() {
  const hasProvider = useHasProvider();
  if (!hasProvider)
    return (
      <ProsePage
        title="Frequently Asked Questions"
        effective={PROVIDER.relationshipSummaryEffective}
        sections={OWN_SECTIONS}
      />
    );
  return (
    <ProsePage
      title="Frequently Asked Questions"
      effective={PROVIDER.relationshipSummaryEffective}
      lead="A summary of our relationship with you: what we do, what it costs, and what can go wrong."
      sections={SECTIONS}
    />
  );
}
