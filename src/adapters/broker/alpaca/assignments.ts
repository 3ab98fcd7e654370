// Contracts that were written and that the vendor says were assigned, from its activities (OPASN). The shares that move for one are
// listed beside it (OPTRD) and are not asked for: the strike says their cash. The vendor may cancel an activity or put a corrected one
// in its place; only what stands at last counts.
import type { OptionAssignment } from '#engine/market/option-assignment.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import { asText, type Fields, numberOf, textOf } from '../answer-fields.ts';
import { type AskActivities, listActivities } from './activities.ts';
import { dateOf } from './cash-activities.ts';
import type { Known } from './parse-answers.ts';

export async function listAssignments(
  ask: AskActivities,
  known: Known,
  since: IsoDate,
): Promise<BrokerAnswer<readonly OptionAssignment[]>> {
  const parse = (row: Fields) => parseRow(row, known);
  const listed = await listActivities(ask, {
    types: ['OPASN'],
    since,
    name: 'the list of assignments',
    parse,
  });
  return listed.outcome === 'failed' ? listed : { outcome: 'ok', value: standingAssignments(listed.value) };
}

export type AssignmentRow = {
  readonly id: string;
  readonly symbol: Symbol;
  /** The change of the holding: above zero where written contracts were assigned, below where that is taken back. */
  readonly contracts: Quantity;
  readonly date: IsoDate;
  readonly isCancelled: boolean;
  /** The activity in whose place it stands. */
  readonly previousId: string | null;
};

function parseRow(row: Fields, known: Known): AssignmentRow | null {
  const symbol = known(textOf(row, 'symbol'));
  const contracts = toQuantity(numberOf(row, 'qty'));
  // A contract that our catalogue does not have is none of ours.
  if (symbol === null || contracts === 0) return null;
  return {
    id: textOf(row, 'id'),
    symbol,
    contracts,
    date: dateOf(row),
    isCancelled: asText(row.status) === 'canceled',
    previousId: asText(row.previous_id),
  };
}

/** Rows in the order of the list. One that takes back ends the newest of its size before it. */
export function standingAssignments(rows: readonly AssignmentRow[]): readonly OptionAssignment[] {
  const earlier = new Map(
    rows.flatMap(({ id, previousId }) => (previousId === null ? [] : [[id, previousId]])),
  );
  const replaced = new Set(earlier.values());
  const standing: AssignmentRow[] = [];
  for (const row of rows) {
    if (row.isCancelled || replaced.has(row.id)) continue;
    if (row.contracts > 0) {
      standing.push(row);
      continue;
    }
    const place = standing.findLastIndex(
      ({ symbol, contracts }) => symbol === row.symbol && contracts === -row.contracts,
    );
    if (place >= 0) standing.splice(place, 1);
  }
  return standing.map(({ id, symbol, contracts, date }) => {
    const corrects = chainFrom(id, earlier);
    const assignment = { activityId: id, symbol, contracts: quantity(contracts), date };
    return corrects.length === 0 ? assignment : { ...assignment, corrects };
  });
}

function chainFrom(id: string, earlier: ReadonlyMap<string, string>): readonly string[] {
  const chain: string[] = [];
  for (let at = earlier.get(id); at !== undefined && !chain.includes(at); at = earlier.get(at))
    chain.push(at);
  return chain;
}
