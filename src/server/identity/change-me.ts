import type { identityEndpoints } from '#contract/identity.ts';
import { changeUser, getUser } from '#records/identity/users.ts';
import { checkCountry, checkDateOfBirth } from '#rules/eligibility/check-eligibility.ts';
import { utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { recheckIdentity } from '../http/check-identity.ts';
import { recordEligibility } from '../answers/record-eligibility.ts';
import { showUser } from './show-user.ts';

/** An age or a country that we may not serve is refused here, with the field and the reason. */
export const changeMe: Call<typeof identityEndpoints.changeMe> = async ({ body, caller }, dependencies) => {
  const { records, now } = dependencies;
  const { date_of_birth: dateOfBirth, country } = body;
  const today = utcDate(now());
  const problem =
    (dateOfBirth === undefined ? null : checkDateOfBirth(dateOfBirth, today)) ??
    (country === undefined ? null : checkCountry(country));
  const { userId } = caller;
  if (dateOfBirth !== undefined || country !== undefined) {
    const user = await getUser(records.database, userId);
    const facts = { dateOfBirth: dateOfBirth ?? user.dateOfBirth, country: country ?? user.country };
    await recordEligibility(records.database, { userId, facts, today }, 'details');
  }
  if (problem) return refuse('not_eligible', problem.message, { field: problem.field });
  await changeUser(records.database, userId, {
    firstName: body.first_name,
    lastName: body.last_name,
    dateOfBirth,
    country,
  });
  await recheckIdentity(await getUser(records.database, userId), dependencies);
  return showUser(userId, dependencies);
};
