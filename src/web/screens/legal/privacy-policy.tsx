import { useHasProvider } from '../../call/installation.ts';
import { PROVIDER } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';

const SECURITY: ProseSection = {
  heading: 'Security',
  paragraphs: [
    'Passwords are stored only as slow, salted hashes. Keys of broker connections are encrypted. Sessions can be ended, and every access to an account is checked against its owner.',
  ],
};

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'What we hold',
    paragraphs: [
      'Your name and e-mail address; your date of birth and country, asked before the agreement; your answers to the risk questionnaire; the agreement you signed and the record of its signing; your brokerage account’s number, balances, positions, orders and fills; and technical data such as your network address, to keep the service secure.',
      'We never see the password of your brokerage account: you sign in at the broker’s own page.',
    ],
  },
  {
    heading: 'Why we hold it',
    paragraphs: [
      'To know who you are and what suits you, to trade as you asked, to show you what happened, to bill, and to meet the law. We do not sell your data and do not use it for advertising.',
    ],
  },
  {
    heading: 'Who else receives it',
    paragraphs: [
      'Your broker, as far as orders require it; those who process mail, signatures and payments for us, under contract; and authorities where the law requires it. Some of them are in other countries; we ask them for the same protection.',
    ],
  },
  {
    heading: 'How long we keep it',
    paragraphs: [
      'Records of advice, orders, fees and agreements for at least 5 years, as the law requires. Other data no longer than we need it.',
    ],
  },
  {
    heading: 'Your rights',
    paragraphs: [
      `You may ask what we hold, have it corrected, have deleted what we need not keep, and object. Write to ${PROVIDER.contactEmail}, or to our information officer, ${PROVIDER.privacyOfficer}. You may also turn to the data protection authority of your country.`,
    ],
  },
  SECURITY,
];

const OWN_SECTIONS: readonly ProseSection[] = [
  {
    heading: 'Where your data is',
    paragraphs: [
      'On this machine, in the data folder and the database that this installation was started with. The keys of your account are in the environment of its process and are not stored.',
    ],
  },
  {
    heading: 'Who else receives it',
    paragraphs: [
      'Your broker, as far as orders require it, and the vendor of prices, which sees what is asked for. Nobody else.',
    ],
  },
  SECURITY,
];

export function PrivacyPolicy() {
  const hasProvider = useHasProvider();
  return (
    <ProsePage
      title="Privacy Policy"
      effective={PROVIDER.relationshipSummaryEffective}
      sections={hasProvider ? SECTIONS : OWN_SECTIONS}
    />
  );
}
