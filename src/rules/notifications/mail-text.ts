// The mails of the product, with their words. Promises plain text that says who writes, what happened, and what to do
// if it was not you; a link has its own line.
import type { StaffRole } from '../identity/staff-role.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { longDate } from '../long-date.ts';
import { PRODUCT_NAME } from '../provider.ts';
import { type EntryNotice, noticeEntries } from './notice-entries.ts';

export type MailText = { readonly subject: string; readonly text: string };

type ResetMail = { readonly firstName: string | null; readonly link: string; readonly minutes: number };

export function resetMailText({ firstName, link, minutes }: ResetMail): MailText {
  return {
    subject: `Reset your ${PRODUCT_NAME} password`,
    text: lines(
      greeting(firstName),
      'someone asked to reset the password of your account. To set a new one, open this link:',
      link,
      `The link works once and expires in ${minutes} minutes. Setting a new password signs you out on all devices.`,
      'If this was not you, ignore this message: your password stays the same.',
    ),
  };
}

/** Whoever gets it may never have heard of us: it has no word that somebody else chose. */
export function verificationMailText({
  link,
  hours,
}: {
  readonly link: string;
  readonly hours: number;
}): MailText {
  return {
    subject: `Verify your e-mail address for ${PRODUCT_NAME}`,
    text: lines(
      'Hello,',
      'an account was opened with this e-mail address. If that was you, open this link:',
      link,
      `The link expires in ${hours} hours. Until you open it we mail you nothing but links.`,
      'If this was not you, ignore this message. Nobody can use your address to join our staff or get your mail.',
    ),
  };
}

type InvitationMail = { readonly role: StaffRole; readonly link: string; readonly hours: number };

export function invitationMailText({ role, link, hours }: InvitationMail): MailText {
  return {
    subject: `You are invited to the staff of ${PRODUCT_NAME}`,
    text: lines(
      'Hello,',
      `you are invited to join the staff of ${PRODUCT_NAME}, ${STAFF_WORK[role]}. To choose a password, open this link:`,
      link,
      `The link works once and expires in ${hours} hours. You then set up a second factor with an authenticator app.`,
      'If you did not expect this, ignore this message: no account is made.',
    ),
  };
}

const STAFF_WORK: Readonly<Record<StaffRole, string>> = {
  support: 'at the operations desk',
  provider: 'for the catalogue of strategies',
  auditor: 'to read the audit log',
  admin: 'to manage who is staff',
};

type NoticeMail = {
  readonly firstName: string | null;
  readonly notices: readonly (EntryNotice & { readonly date: IsoDate })[];
  /** Where the person decides what is mailed. */
  readonly preferencesLink: string;
};

/** One entry is the subject itself; several are counted. The fills of a decision are one. */
export function noticeMailText({ firstName, notices, preferencesLink }: NoticeMail): MailText {
  const entries = noticeEntries(notices);
  const [first] = entries;
  const subject =
    entries.length === 1 && first
      ? `${PRODUCT_NAME}: ${first.title}`
      : `${PRODUCT_NAME}: ${entries.length} updates`;
  return {
    subject,
    text: lines(
      greeting(firstName),
      ...entries.map(({ title, notices: together }) =>
        [`${longDate(together[0]!.date)}  ${title}`, ...together.map(({ message }) => message)].join('\n'),
      ),
      'Choose which e-mails you receive:',
      preferencesLink,
    ),
  };
}

type ReportMail = {
  readonly firstName: string | null;
  /** Monday of the week. */
  readonly week: IsoDate;
  readonly deployments: readonly {
    readonly strategyName: string;
    readonly before: Micro;
    readonly after: Micro;
  }[];
  readonly preferencesLink: string;
  readonly hasFee: boolean;
};

/** What each deployment was worth at the end of a week, and how that changed in it, deposits not being possible. */
export function reportMailText(report: ReportMail): MailText {
  const { firstName, week, deployments, preferencesLink, hasFee } = report;
  return {
    subject: `${PRODUCT_NAME}: your week from ${longDate(week)}`,
    text: lines(
      greeting(firstName),
      ...deployments.map(({ strategyName, before, after }) => {
        const change = (after - before) as Micro;
        const percent = Math.abs((change / before) * 100).toFixed(2);
        const moved =
          change === 0
            ? 'unchanged'
            : `${change > 0 ? 'up' : 'down'} ${dollars(Math.abs(change) as Micro)} (${percent}%)`;
        return `${strategyName}\n${dollars(after)} at the week's last close, ${moved}.`;
      }),
      `Profit and loss are after commission${hasFee ? ' and before the performance fee' : ''}. Choose which e-mails you receive:`,
      preferencesLink,
    ),
  };
}

/** No name where the address is not verified: it is free text. */
const greeting = (firstName: string | null) => (firstName === null ? 'Hello,' : `Hello ${firstName},`);

function lines(...paragraphs: readonly string[]): string {
  return `${[...paragraphs, PRODUCT_NAME].join('\n\n')}\n`;
}
