// The mails of the product, with their words. Promises plain text that says who writes, what happened, and what to do
// if it was not you; a link has its own line.
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { PRODUCT_NAME } from '../provider.ts';

export type MailText = { readonly subject: string; readonly text: string };

type ResetMail = { readonly firstName: string; readonly link: string; readonly minutes: number };

export function resetMailText({ firstName, link, minutes }: ResetMail): MailText {
  return {
    subject: `Reset your ${PRODUCT_NAME} password`,
    text: lines(
      `Hello ${firstName},`,
      'someone asked to reset the password of your account. To set a new one, open this link:',
      link,
      `The link works once and expires in ${minutes} minutes. Setting a new password signs you out on all devices.`,
      'If this was not you, ignore this message: your password stays the same.',
    ),
  };
}

type NoticeMail = {
  readonly firstName: string;
  readonly notices: readonly { readonly title: string; readonly message: string; readonly date: string }[];
  /** Where the person decides what is mailed. */
  readonly preferencesLink: string;
};

/** One notice is the subject itself; several are counted. */
export function noticeMailText({ firstName, notices, preferencesLink }: NoticeMail): MailText {
  const [first] = notices;
  const subject =
    notices.length === 1 && first
      ? `${PRODUCT_NAME}: ${first.title}`
      : `${PRODUCT_NAME}: ${notices.length} updates`;
  return {
    subject,
    text: lines(
      `Hello ${firstName},`,
      ...notices.map(({ title, message, date }) => `${date}  ${title}\n${message}`),
      'Choose which e-mails you receive:',
      preferencesLink,
    ),
  };
}

type ReportMail = {
  readonly firstName: string;
  /** Monday of the week, as YYYY-MM-DD. */
  readonly week: string;
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
    subject: `${PRODUCT_NAME}: your week from ${week}`,
    text: lines(
      `Hello ${firstName},`,
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

function lines(...paragraphs: readonly string[]): string {
  return `${[...paragraphs, PRODUCT_NAME].join('\n\n')}\n`;
}
