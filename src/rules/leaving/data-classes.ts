// What is kept of a person who closes their account, and for how long, by class of data: a dated table. Kept data is locked:
// nobody signs in with it, and the desk does not show it. Everything else is erased at once.
import { type IsoDate, type Instant, instant, instantOfDate, utcDate } from '#units/instant.ts';

export type DataClass = {
  readonly name: string;
  readonly holds: string;
  /** Null: erased when the account is closed. */
  readonly keptYears: number | null;
  readonly why: string;
};

type RuleBook = { readonly version: string; readonly from: IsoDate; readonly classes: readonly DataClass[] };

const FIVE_YEARS = 5;
const LAW =
  'Records of advice, of transactions and of who the client is must be kept for five years after the relationship ends.';

const BOOKS: readonly RuleBook[] = [
  {
    version: '2026-11',
    from: '2026-11-01' as IsoDate,
    classes: [
      {
        name: 'Identity',
        holds: 'name, e-mail, date of birth, country, identity checks',
        keptYears: FIVE_YEARS,
        why: LAW,
      },
      {
        name: 'Agreements',
        holds: 'signed agreements with their evidence, attestations',
        keptYears: FIVE_YEARS,
        why: LAW,
      },
      {
        name: 'Advice',
        holds: 'risk profile, records of advice, eligibility decisions',
        keptYears: FIVE_YEARS,
        why: LAW,
      },
      {
        name: 'Trading',
        holds: 'deployments, orders, fills, cash movements, the audit log',
        keptYears: FIVE_YEARS,
        why: LAW,
      },
      {
        name: 'Money',
        holds: 'fee bills, payments, receipts, refunds, disputes, chargebacks',
        keptYears: FIVE_YEARS,
        why: LAW,
      },
      {
        name: 'Sign-in',
        holds:
          'password, second factor, backup codes, sessions, API keys and what they did, security activity',
        keptYears: null,
        why: 'Nobody signs in any more.',
      },
      {
        name: 'Broker access',
        holds: 'credentials and permissions of your broker connections',
        keptYears: null,
        why: 'Nothing is traded any more.',
      },
      {
        name: 'Notices',
        holds: 'notifications, mails, webhooks, browsers and chats that get news, and their settings',
        keptYears: null,
        why: 'They repeat what is recorded elsewhere.',
      },
      {
        name: 'Drafts',
        holds:
          'your own strategies that never traded, with their backtests and what was said about them; the strategies that you watch',
        keptYears: null,
        why: 'They are yours alone.',
      },
      {
        name: 'Plan',
        holds: 'your plan, its credit and your card at the payment service',
        keptYears: null,
        why: 'It ends with the account, and nothing more is charged.',
      },
    ],
  },
];

export function dataClassesOn(at: Instant): RuleBook {
  const day = utcDate(at);
  const book = BOOKS.findLast(({ from }) => from <= day) ?? BOOKS[0];
  if (book === undefined) throw new Error('there is no table of data classes');
  return book;
}

/** The longest of what is kept. A leap day counts as the day before. */
export function keptUntil(closedAt: Instant): Instant {
  const years = Math.max(...dataClassesOn(closedAt).classes.map(({ keptYears }) => keptYears ?? 0));
  const day = utcDate(closedAt);
  const monthAndDay = day.slice(5) === '02-29' ? '02-28' : day.slice(5);
  return instant(instantOfDate(`${Number(day.slice(0, 4)) + years}-${monthAndDay}` as IsoDate));
}
