import type { notificationsEndpoints } from '#contract/notifications.ts';
import { changeChoices } from '#records/notifications/news-choices.ts';
import { isChoice, noChoiceText } from '#rules/notifications/choices.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

export const changeNotificationChoices: Call<
  typeof notificationsEndpoints.changeNotificationChoices
> = async ({ body, caller: { userId } }, { records }) => {
  const none = body.choices.find(({ news, channel }) => !isChoice(news, channel));
  if (none !== undefined) return refuse('out_of_range', noChoiceText(none));
  // Of two for one cell the last counts.
  const cells = new Map(
    body.choices.map(({ news, channel, is_on: isOn }) => [`${news} ${channel}`, { news, channel, isOn }]),
  );
  return changeChoices(records.database, { userId, choices: [...cells.values()] });
};
