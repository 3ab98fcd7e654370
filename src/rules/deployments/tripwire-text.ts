// The tripwire in words: the test of whether live days still fit the published record, what its owner chooses for the day
// on which they do not, and what that means.
import { AMBER_AT, RED_AT } from '#engine/expectation/judge-day.ts';
import type { NoRange } from '#engine/expectation/range-of-deployment.ts';
import type { TripwireChoice, TripwireState } from '#engine/risk/tripwire.ts';

export const DEFAULT_TRIPWIRE_CHOICE: TripwireChoice = 'notify';

/** As one line of a form or of a list of settings. */
export const TRIPWIRE_CHOICE_LABELS: Readonly<Record<TripwireChoice, string>> = {
  notify: 'Only tell me',
  exits_only: 'Open nothing new',
  halve: 'Trade at half size',
};

/** What it means, as a sentence. */
export const TRIPWIRE_CHOICE_MEANINGS: Readonly<Record<TripwireChoice, string>> = {
  notify: 'You get a notice and an e-mail. Trading goes on as before.',
  exits_only:
    'You get a notice and an e-mail. Nothing new is opened until you acknowledge it; positions can still be reduced and sold.',
  halve:
    'You get a notice and an e-mail. From the next decision until you acknowledge it, each position is half of what the strategy asks for.',
};

/** What the choice is about, and how often it is wrong. */
export const TRIPWIRE_RATE_SENTENCE = `We compare each trading day with the days of the published record. If the record still holds, at most 1 in ${RED_AT} deployments is ever called worse than it by bad luck.`;

export const TRIPWIRE_STATE_LABELS: Readonly<Record<TripwireState, string>> = {
  green: 'As expected',
  amber: 'In doubt',
  red: 'Worse than its record',
};

/** What the state says, as sentences; `days` were compared. */
export function tripwireMeaning(state: TripwireState, days: number): string {
  const compared = `${days} trading ${days === 1 ? 'day' : 'days'} compared`;
  switch (state) {
    case 'green':
      return days === 0
        ? 'No trading day has been compared yet: the first counts once the deployment follows its strategy.'
        : `${compared}: nothing shows that it does worse than its published record.`;
    case 'amber':
      return `${compared}: the returns are lower than the published record makes likely. By bad luck alone this happens in at most 1 of ${AMBER_AT} deployments. Nothing changes yet.`;
    case 'red':
      return `${compared}: the returns are worse than the published record. By bad luck alone this happens in at most 1 of ${RED_AT} deployments.`;
    default:
      return state satisfies never;
  }
}

/** What a red state does to trading now. */
export function tripwireReactionSentence(choice: TripwireChoice): string {
  switch (choice) {
    case 'notify':
      return 'As you chose, trading goes on as before.';
    case 'exits_only':
      return 'As you chose, nothing new is opened until you acknowledge it.';
    case 'halve':
      return 'As you chose, each position is half of what the strategy asks for, from its next decision until you acknowledge it.';
    default:
      return choice satisfies never;
  }
}

/** On a list of deployments; null where there is nothing to say. */
export function tripwireNote(state: TripwireState, choice: TripwireChoice): string | null {
  if (state !== 'red') return null;
  return `Its returns are worse than its published record. ${tripwireReactionSentence(choice)}`;
}

/** What acknowledging does. */
export const ACKNOWLEDGE_MEANING =
  'Acknowledge it and the deployment follows its strategy in full again from the next decision. The comparison starts anew, with the same rate of false alarms.';

/** Why no range can be given. */
export function noRangeReason(why: NoRange): string {
  if (why.code === 'never_traded')
    return 'With this amount and these limits the published record would never have traded, so nothing can be expected from it.';
  return `The published record has ${why.days} trading days with these terms. An honest range needs at least ${why.least}, a year of them.`;
}
