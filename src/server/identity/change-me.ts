import type { identityEndpoints } from '#contract/identity.ts';
import { changeUser } from '#records/identity/users.ts';
import { checkCountry, checkDateOfBirth } from '#rules/eligibility/check-eligibility.ts';
import { utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { showUser } from './show-user.ts';

/** An age or a country that we may not serve is refused here, with the field and the reason. */
export const changeMe: Call<typeof identityEndpoints.changeMe> = async ({ body, caller }, dependencies) => {
  const { records, now } = dependencies;
  const { date_of_birth: dateOfBirth, country } = body;
  if (dateOfBirth !== undefined) {
    const problem = checkDateOfBirth(dateOfBirth, utcDate(now()));
    if (problem) return refuse('not_eligible', problem.message, { field: problem.field });
  }
  if (country !== undefined) {
    const problem = checkCountry(country);
    if (problem) return refuse('not_eligible', problem.message, { field: problem.field });
  }
  await changeUser(records.database, caller.userId, {
    firstName: body.first_name,
    lastName: body.last_name,
    dateOfBirth,
    country,
  });
  return showUser(caller.userId, dependencies);
};
