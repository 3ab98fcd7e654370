// Practice money: how much of it one person may use at once.

/** Live practice deployments of one person, shadows included. */
export const PRACTICE_MAX = 5;

/** Null when one more may run. */
export function practiceRefusal(running: number): string | null {
  if (running < PRACTICE_MAX) return null;
  return `You practise with ${running} deployments, and ${PRACTICE_MAX} may run at once. Stop one of them first.`;
}
