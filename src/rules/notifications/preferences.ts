// Which notices a person wants, and where (specification, sections 3 and 9). The list in the product always shows
// everything; these settings decide what is mailed and what appears as a toast.
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

type EmailSwitch = keyof NotificationPreferences['email'];
type PushSwitch = keyof NotificationPreferences['push'];

export const DEFAULT_NOTIFICATION_PREFERENCES: NotificationPreferences = {
  email: { tradeConfirmations: true, strategyUpdates: true, performanceReports: false },
  push: { tradeAlerts: true, riskWarnings: true, marketUpdates: false },
};

export type PreferenceLabel = {
  readonly label: string;
  readonly hint: string;
  /** Where there is no provider, if that says less. */
  readonly hintOfOwn?: string;
};

export const PREFERENCE_LABELS = {
  email: {
    tradeConfirmations: {
      label: 'Trade confirmations',
      hint: 'Filled and unfilled orders, dividends, assignments and adjustments.',
    },
    strategyUpdates: {
      label: 'Strategy updates',
      hint: 'Start, pause, stop, freeze, stop loss, results below the record, lost broker connection, performance fee.',
      hintOfOwn: 'Start, pause, stop, freeze, stop loss, results below the record, lost broker connection.',
    },
    performanceReports: {
      label: 'Performance reports',
      hint: 'Weekly: the value of each deployment and how it changed.',
    },
  },
  push: {
    tradeAlerts: { label: 'Trade alerts', hint: 'Order updates while you are on the site.' },
    riskWarnings: {
      label: 'Risk warnings',
      hint: 'Stop loss, freeze, results below the record, margin call, failure, lost broker connection.',
    },
    marketUpdates: { label: 'Market updates', hint: 'Each new market day.' },
  },
} as const satisfies {
  readonly [Channel in keyof NotificationPreferences]: Readonly<
    Record<keyof NotificationPreferences[Channel], PreferenceLabel>
  >;
};

/** The switch that decides whether a notice is mailed. */
export function emailSwitchOf(kind: NoticeKind): EmailSwitch {
  return TRADES.includes(kind) ? 'tradeConfirmations' : 'strategyUpdates';
}

const TRADES: readonly NoticeKind[] = ['order_filled', 'order_not_filled', 'position_changed'];

/** Whether a notice is shown as a toast. What belongs to no switch, such as an answer to one's own click, always is. */
export function isToasted(kind: string, push: NotificationPreferences['push']): boolean {
  // The screen has answered already.
  if (ANSWERED.includes(kind)) return false;
  const needed = PUSH_SWITCHES[kind];
  return needed === undefined || push[needed];
}

const ANSWERED: readonly string[] = [
  'limits_changed',
  'tripwire_acknowledged',
] satisfies readonly NoticeKind[];

const PUSH_SWITCHES: Readonly<Record<string, PushSwitch | undefined>> = {
  order_filled: 'tradeAlerts',
  order_not_filled: 'tradeAlerts',
  position_changed: 'tradeAlerts',
  margin_call: 'riskWarnings',
  stop_loss: 'riskWarnings',
  frozen: 'riskWarnings',
  tripwire_amber: 'riskWarnings',
  tripwire_red: 'riskWarnings',
  failed: 'riskWarnings',
  broker_disconnected: 'riskWarnings',
} satisfies Partial<Record<NoticeKind, PushSwitch>>;
