// What keeps each promise that the product makes to a client. A promise that nothing keeps is built or taken out of the text.
import { informs, people, type Promised, test } from './kept-by.ts';
import { FEES, MANDATE, PLANS, SUITABILITY } from './trading-promises.ts';

const DATA: readonly Promised[] = [
  {
    says: [
      'We use your name',
      'We give your data to your broker',
      'those who process mail, signatures and payments',
      'we ask them for the same protection',
      'We do not sell',
    ],
    keptBy: people(
      'The information officer: contracts with those who process data, and the list of data classes in docs/security.md.',
    ),
  },
  {
    says: [
      'We keep records of advice, orders, fees and this agreement',
      'Other data no longer than we need it',
      'are kept for at least 5 years',
    ],
    keptBy: test(
      'src/server/leaving/leaving.test.ts',
      'what the law keeps no longer is erased, and not a day sooner',
    ),
  },
  {
    says: [
      'You may ask what we hold',
      'You may close your account at any time',
      'write to …',
      'or to our information officer',
    ],
    keptBy: test(
      'src/server/leaving/leaving.test.ts',
      'closing signs out everywhere, erases what the law does not keep',
    ),
  },
  {
    says: ['Passwords are stored only as slow, salted hashes'],
    keptBy: test('src/server/identity/identity.test.ts', 'only an argon2id hash of the password is stored'),
  },
  {
    says: ['Keys of broker connections are encrypted'],
    keptBy: test('src/server/brokerage/brokerage.test.ts', 'credentials are sealed'),
  },
  {
    says: ['in the environment of its process and are not stored'],
    keptBy: test('src/processes/installation/connect-own-account.test.ts', 'the owner gets a sign-in'),
  },
  {
    says: ['three kinds of cookies'],
    keptBy: test(
      'tests/promises/promises.test.ts',
      'the cookies that are set are those that the policy names',
    ),
  },
  {
    says: ['so that nobody can lock you out', 'nobody else can finish it in your place'],
    keptBy: test(
      'src/server/identity/password/guessing.test.ts',
      'a stranger who guesses does not lock out a device',
    ),
  },
  {
    says: ['load nothing from other companies'],
    keptBy: test('src/server/app.test.ts', 'answers carry the security headers'),
  },
  { says: ['No other site can read any of it', 'Until you close the tab'], keptBy: informs },
  { says: ['Use someone else’s account', 'Keep your password to yourself'], keptBy: informs },
];

const SIGNING: readonly Promised[] = [
  {
    says: ['We then seal the document'],
    keptBy: test(
      'src/adapters/signing/embedded/embedded-signing.test.ts',
      'Poppler and OpenSSL find the seal valid',
    ),
  },
  {
    says: ['The sealed document is yours to open'],
    keptBy: test('src/server/agreements/agreements.test.ts', 'an adult in a country we serve signs'),
  },
  {
    says: ['We send notices to you in the product and by e-mail'],
    keptBy: test('src/server/notifications/notifications.test.ts', 'an event gives one notice and one mail'),
  },
  {
    says: ['When the wording changes we tell you', 'the wording that you signed holds'],
    keptBy: test('src/server/agreements/new-version.test.ts', 'who signed an older version sees what is new'),
  },
  {
    says: ['a day by which you must sign'],
    keptBy: test('src/server/agreements/new-version.test.ts', 'two people set the day to sign by'),
  },
  {
    says: ['After it we open nothing new for you'],
    keptBy: test('tests/trading/limits-and-commands.test.ts', 'what was signed holds for what runs'),
  },
  {
    says: [
      'You may ask for paper copies',
      'You may end this agreement at any time',
      'We may end it with 30 days’ notice',
      'we answer complaints in writing',
      'We act with the care and skill',
      'We correct errors when we find them',
      'We may close it when these terms are broken',
    ],
    keptBy: people('Support and the compliance officer, as docs/operators/README.md says.'),
  },
];

const FIGURES: readonly Promised[] = [
  {
    says: ['Decisions use only prices that were known at the time'],
    keptBy: test('src/engine/model/score-bars.test.ts', 'a new close costs one row for each instrument'),
  },
  {
    says: [
      'No client’s money was at risk',
      'no money was at risk',
      'No client received these results',
      'were not earned by anyone',
      'A calculation never does',
      'Rules are kept because',
      'Nobody can invest in it directly',
      'are not taken off',
      'does not guarantee future results',
      'say nothing about results in real markets',
    ],
    keptBy: informs,
  },
  {
    says: ['no order reaches an exchange'],
    keptBy: test(
      'src/server/deployments/practice.test.ts',
      'the database refuses a practice deployment at a broker',
    ),
  },
  {
    says: [
      'may be up to … minutes late',
      'not our screen, is the record',
      'We promise no return',
      'some never close',
      'without asking you or us',
      'lose part or all',
    ],
    keptBy: informs,
  },
  {
    says: [
      'We are not responsible',
      'Nothing in this agreement limits',
      'we are not liable',
      'Nothing here limits',
      'Nothing here is an offer',
      'Nothing on public pages is advice',
      'cannot promise that it always is',
      'waive a trial by jury',
      'is not a judgement of our skill',
      'We offer automated strategies',
      'A summary of our relationship',
      'To keep the service from being used',
      'the others remain in force',
      'cannot be waived',
    ],
    keptBy: informs,
  },
  {
    says: ['Closing does not sell what you hold', 'it does not sell what you hold'],
    keptBy: test('src/server/leaving/leaving.test.ts', 'while a deployment runs, and says which'),
  },
];

export const PROMISES: readonly Promised[] = [
  ...MANDATE,
  ...SUITABILITY,
  ...FEES,
  ...PLANS,
  ...DATA,
  ...SIGNING,
  ...FIGURES,
];
