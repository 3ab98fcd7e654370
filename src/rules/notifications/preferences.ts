// The six switches of the specification (sections 3 and 9), read from the choices of news and written to them.
import { type Choice, type NewsChoices, newsOf } from './choices.ts';
import type { NoticeKind } from './notice-text.ts';

export type NotificationPreferences = {
  readonly email: {
    readonly tradeConfirmations: boolean;
    readonly strategyUpdates: boolean;
    readonly performanceReports: boolean;
  };
  readonly push: {
    readonly tradeAlerts: boolean;
    readonly riskWarnings: boolean;
    readonly marketUpdates: boolean;
  };
};

export const DEFAULT_NOTIFICATION_PREFERENCES: NotificationPreferences = {
  email: { tradeConfirmations: true, strategyUpdates: true, performanceReports: false },
  push: { tradeAlerts: true, riskWarnings: true, marketUpdates: false },
};

export function preferencesOf({
  fills,
  risk,
  updates,
  reports,
  market,
}: NewsChoices): NotificationPreferences {
  return {
    email: {
      tradeConfirmations: fills.mail,
      strategyUpdates: updates.mail,
      performanceReports: reports.mail,
    },
    push: {
      tradeAlerts: fills.site,
      riskWarnings: risk.site,
      marketUpdates: market.site,
    },
  };
}

export type PreferencesChange = {
  readonly [Channel in keyof NotificationPreferences]?: {
    readonly [Name in keyof NotificationPreferences[Channel]]?: boolean | undefined;
  };
};

/** strategyUpdates was the one switch for all mails but those of trades: it still turns them all. */
export function choicesOfChange({ email = {}, push = {} }: PreferencesChange): readonly Choice[] {
  const turned = (isOn: boolean | undefined, ...cells: readonly Omit<Choice, 'isOn'>[]): Choice[] =>
    isOn === undefined ? [] : cells.map((cell) => ({ ...cell, isOn }));
  return [
    ...turned(email.tradeConfirmations, { news: 'fills', channel: 'mail' }),
    ...turned(
      email.strategyUpdates,
      { news: 'updates', channel: 'mail' },
      { news: 'risk', channel: 'mail' },
      { news: 'fees', channel: 'mail' },
    ),
    ...turned(email.performanceReports, { news: 'reports', channel: 'mail' }),
    ...turned(push.tradeAlerts, { news: 'fills', channel: 'site' }),
    ...turned(push.riskWarnings, { news: 'risk', channel: 'site' }),
    ...turned(push.marketUpdates, { news: 'market', channel: 'site' }),
  ];
}

/** Whether a notice is shown as a toast. What belongs to no switch, such as an answer to one's own click, always is. */
export function isToasted(kind: string, push: NotificationPreferences['push']): boolean {
  // The screen has answered already.
  if (ANSWERED.includes(kind)) return false;
  const news = newsOf(kind);
  if (news === 'fills') return push.tradeAlerts;
  return news !== 'risk' || push.riskWarnings;
}

const ANSWERED: readonly string[] = [
  'limits_changed',
  'tripwire_acknowledged',
  'security_changed',
] satisfies readonly NoticeKind[];
