// Webhooks: which news is posted, to which addresses, and the words of what became of it.

/** The kinds of news that notices have. */
export const WEBHOOK_NEWS = ['fills', 'risk', 'updates', 'fees', 'security'] as const;
export type WebhookNews = (typeof WEBHOOK_NEWS)[number];

export const WEBHOOKS_MAX = 5;
export const WEBHOOK_URL_MAX = 2_000;
/** How long the former secret signs beside the new one. */
export const FORMER_HOURS = 24;
/** After so long without a delivery that was taken it is disabled. */
export const FAILING_DAYS = 5;

/** What ended a delivery without an answer. */
export const WEBHOOK_PROBLEMS = {
  forbidden_address: 'The address leads into a private network, which is not allowed.',
  redirected: 'The answer was a redirect, which is not followed.',
  unreachable: 'No answer came: the address could not be reached.',
  late: 'No answer came in time.',
  refused: 'The answer was not one of success.',
  disabled: 'The webhook was turned off before it was sent.',
} as const;
export type WebhookProblem = keyof typeof WEBHOOK_PROBLEMS;

export function webhookProblemText(problem: string): string {
  return WEBHOOK_PROBLEMS[problem as WebhookProblem] ?? WEBHOOK_PROBLEMS.unreachable;
}
