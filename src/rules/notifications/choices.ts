// Which kind of news goes by which channel: one table for all channels, with what is usual until a person chooses. Promises that news
// of the account's security is always mailed. The list in the product always shows everything.
import type { NoticeKind } from './notice-text.ts';

export const NEWS = ['fills', 'risk', 'updates', 'fees', 'security', 'reports', 'market'] as const;
export type News = (typeof NEWS)[number];

/** site: shown in the corner of the page while somebody looks at it. push: in a browser, also a closed one. */
export const CHANNELS = ['mail', 'site', 'push', 'telegram'] as const;
export type Channel = (typeof CHANNELS)[number];

export const CHANNEL_LABELS: Readonly<Record<Channel, string>> = {
  mail: 'E-mail',
  site: 'On the site',
  push: 'Push',
  telegram: 'Telegram',
};

export type NewsLabel = {
  readonly label: string;
  readonly hint: string;
  /** Where there is no provider, if that says less. */
  readonly hintOfOwn?: string;
};

export const NEWS_LABELS: Readonly<Record<News, NewsLabel>> = {
  fills: {
    label: 'Trade confirmations',
    hint: 'Filled and unfilled orders, dividends, assignments and adjustments.',
  },
  risk: {
    label: 'Risk warnings',
    hint: 'Stop loss, freeze, results below the record, margin call, failure, broker connection.',
  },
  updates: {
    label: 'Strategy updates',
    hint: 'Start, pause, stop, limits, money moved, new versions, agreement.',
    hintOfOwn: 'Start, pause, stop, limits, money moved.',
  },
  fees: { label: 'Fees', hint: 'Performance fees, payments and refunds.' },
  security: {
    label: 'Account security',
    hint: 'Password, second factor, API keys, and where your news goes. Always mailed.',
  },
  reports: {
    label: 'Performance reports',
    hint: 'Weekly: the value of each deployment and how it changed.',
  },
  market: { label: 'Market updates', hint: 'Each new market day.' },
};

/** always: no choice. A channel that is not named does not carry that news. */
type Usual = Readonly<Partial<Record<Channel, boolean | 'always'>>>;

export const USUAL_CHOICES: Readonly<Record<News, Usual>> = {
  fills: { mail: true, site: true, push: true, telegram: true },
  risk: { mail: true, site: true, push: true, telegram: true },
  updates: { mail: true, site: 'always', push: true, telegram: true },
  fees: { mail: true, site: 'always', push: true, telegram: true },
  security: { mail: 'always', site: 'always', push: true, telegram: true },
  reports: { mail: false },
  market: { site: false },
};

export type Choice = { readonly news: News; readonly channel: Channel; readonly isOn: boolean };

type Everywhere = Readonly<Record<Channel, boolean>>;

export type NewsChoices = Readonly<
  Record<'fills' | 'risk' | 'updates' | 'fees' | 'security', Everywhere> & {
    reports: { readonly mail: boolean };
    market: { readonly site: boolean };
  }
>;

/** What holds for a person who chose these. A choice that is none is left out. */
export function choicesOf(chosen: readonly Choice[]): NewsChoices {
  const entries = NEWS.map((news) => {
    const cells = CHANNELS.flatMap((channel) => {
      const usual = USUAL_CHOICES[news][channel];
      if (usual === undefined) return [];
      const own = chosen.find((one) => one.news === news && one.channel === channel);
      return [[channel, usual === 'always' || (own?.isOn ?? usual)] as const];
    });
    return [news, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(entries) as NewsChoices;
}

export function isChoice(news: News, channel: Channel): boolean {
  return typeof USUAL_CHOICES[news][channel] === 'boolean';
}

/** Why a person cannot turn it. */
export function noChoiceText({ news, channel }: Pick<Choice, 'news' | 'channel'>): string {
  const { label } = NEWS_LABELS[news];
  return USUAL_CHOICES[news][channel] === 'always'
    ? `${label}: ${CHANNEL_LABELS[channel]} is always on`
    : `${label}: not sent by ${CHANNEL_LABELS[channel]}`;
}

/** Every kind that is not named here, a later version's too, is an update. */
export function newsOf(kind: string): News {
  return KINDS[kind] ?? 'updates';
}

const KINDS: Readonly<Partial<Record<string, News>>> = {
  order_filled: 'fills',
  order_not_filled: 'fills',
  position_changed: 'fills',
  margin_call: 'risk',
  stop_loss: 'risk',
  frozen: 'risk',
  tripwire_amber: 'risk',
  tripwire_red: 'risk',
  failed: 'risk',
  broker_disconnected: 'risk',
  broker_reconnected: 'risk',
  fee_billed: 'fees',
  fee_credited: 'fees',
  fee_declined: 'fees',
  fee_unpaid: 'fees',
  payment_refunded: 'fees',
  payment_taken_back: 'fees',
  payment_counts_again: 'fees',
  unpaid_closed: 'fees',
  key_asks: 'security',
  webhook_disabled: 'security',
  channel_gone: 'security',
  security_changed: 'security',
} satisfies Partial<Record<NoticeKind, News>>;
