// Contracts that were written and that the vendor says were assigned, from its activities (OPASN). The shares that move for one are
// listed beside it (OPTRD) and are not asked for: the strike says their cash.
import type { OptionAssignment } from '#engine/market/option-assignment.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { IsoDate } from '#units/instant.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { type Fields, numberOf, textOf } from '../answer-fields.ts';
import { type AskActivities, listActivities } from './activities.ts';
import { dateOf } from './cash-activities.ts';
import type { Known } from './parse-answers.ts';

export async function listAssignments(
  ask: AskActivities,
  known: Known,
  since: IsoDate,
): Promise<BrokerAnswer<readonly OptionAssignment[]>> {
  const parse = (row: Fields): OptionAssignment | null => {
    const symbol = known(textOf(row, 'symbol'));
    const contracts = quantity(Math.abs(toQuantity(numberOf(row, 'qty'))));
    // A contract that our catalogue does not have is none of ours.
    if (symbol === null || contracts === 0) return null;
    return { activityId: textOf(row, 'id'), symbol, contracts, date: dateOf(row) };
  };
  return listActivities(ask, { types: ['OPASN'], since, name: 'the list of assignments', parse });
}
