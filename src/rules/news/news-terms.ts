// News outside of the product: to how many addresses, for how long it is tried, and the words of what became of it.

export const NEWS_CHANNELS = ['push', 'telegram'] as const;
export type NewsChannelName = (typeof NEWS_CHANNELS)[number];

/** Of one person. */
export const ADDRESSES_MAX = 10;
export const ATTEMPTS_MAX = 10;
/** A code for the bot counts for so long. */
export const CODE_MINUTES = 10;
/** Longer than that we do not wait at the word of a service. */
export const PAUSE_SECONDS_MAX = 3_600;

export const NEWS_PROBLEMS = {
  gone: 'Nobody is there any more, so we removed it.',
  busy: 'The service was busy.',
  unwell: 'The service had a fault.',
  unreachable: 'The service could not be reached.',
  late: 'The service did not answer in time.',
  refused: 'The service refused it.',
  removed: 'You removed it before it was sent.',
} as const;
export type NewsProblem = keyof typeof NEWS_PROBLEMS;

export function newsProblemText(problem: string): string {
  return NEWS_PROBLEMS[problem as NewsProblem] ?? NEWS_PROBLEMS.refused;
}

export const NEWS_SENTENCES = {
  full: `You have ${ADDRESSES_MAX} browsers and chats, which is the most. Remove one first.`,
  otherKey: 'This browser was given a key that we do not have. Load the page again, then turn push on.',
} as const;

export const TEST_NEWS = {
  title: 'A test',
  message: 'News that you chose under Account, Notifications arrives here.',
} as const;

/**
 * What leaves the product is less than the notice: its title and first sentence, without profit, commission and advice. The rest is read
 * after a sign-in.
 */
export function shortNews({ title, message }: { readonly title: string; readonly message: string }): {
  readonly title: string;
  readonly message: string;
} {
  return { title, message: /^.*?[.!?](?=\s|$)/su.exec(message)?.[0] ?? message };
}

export const CHAT_WORDS = {
  linked: 'This chat is linked to your account. News that you chose arrives here. Send /stop to end it.',
  unknown:
    'This code is not known, or its ten minutes are over. Get a new one on the site, under Account, Notifications.',
  stopped: 'This chat is no longer linked. You can link it again on the site.',
  notLinked: 'This chat is not linked to an account.',
  full: 'Your account has as many browsers and chats as it may have. Remove one on the site, then get a new code.',
  help: 'To link this chat, press Link Telegram on the site, under Account, Notifications. To end it, send /stop.',
} as const;
