import type { leavingEndpoints } from '#contract/leaving.ts';
import { readBlockers } from '#records/leaving/blockers.ts';
import { closingRefusals } from '#rules/leaving/closing-refusal.ts';
import { dataClassesOn, keptUntil } from '#rules/leaving/data-classes.ts';
import { isoText } from '#units/instant.ts';
import type { Call } from '../http/call.ts';

export const getLeaving: Call<typeof leavingEndpoints.getLeaving> = async ({ caller }, { records, now }) => {
  const at = now();
  const { version, classes } = dataClassesOn(at);
  return {
    refusals: [...closingRefusals(await readBlockers(records.database, caller.userId))],
    classes: classes.map(({ name, holds, keptYears, why }) => ({ name, holds, kept_years: keptYears, why })),
    rule_version: version,
    kept_until: isoText(keptUntil(at)),
  };
};
