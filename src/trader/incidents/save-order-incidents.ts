import { ORDER_INCIDENTS, orderIncidents } from '#engine/incidents/order-incidents.ts';
import { endedAcknowledgements, unprotectedIncidents } from '#engine/incidents/unprotected-incidents.ts';
import { questionIncidents } from '#engine/incidents/question-incident.ts';
import { OPEN } from '#engine/order/order-status.ts';
import { listCrossedExits } from '#records/execution/account-orders.ts';
import { listOrders } from '#records/execution/orders.ts';
import { listDeclinedQuestions } from '#records/execution/declined-questions.ts';
import { listUnprotected } from '#records/execution/unprotected-positions.ts';
import { closeProposal, listAcknowledgements } from '#records/incidents/incident-proposals.ts';
import { syncIncidents } from '#records/incidents/incidents.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** A question of longer ago is about a decision that no one waits for any more. */
function questionsSince(now: Instant): Instant {
  return instant(now - 7 * DAY_MS);
}

/** After a look: the orders and positions of this connection that are a task for staff. */
export async function saveOrderIncidents(
  { database, lease, now, realNow }: TradingContext,
  { connection, known }: ActiveConnection,
): Promise<void> {
  const { id, accountId } = connection;
  const unprotected = await listUnprotected(database, id);
  const agreed = await listAcknowledgements(database, id);
  const ended = endedAcknowledgements(unprotected, agreed, realNow());
  const acknowledged = agreed.filter((one) => !ended.includes(one));
  const declined = await listDeclinedQuestions(database, { connection: id, since: questionsSince(now) });
  const wanted = [
    ...orderIncidents(
      await listOrders(database, { connection: id, statuses: OPEN }),
      await listCrossedExits(database, accountId),
    ),
    ...unprotectedIncidents(unprotected, acknowledged),
    ...questionIncidents(id, declined, connection),
  ].map((incident) => ({ ...incident, accountId }));
  if (wanted.length === 0 && ended.length === 0 && known.hasOrderIncidents === false) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [id]);
    for (const one of ended) await closeProposal(trx, one.id, 'over');
    await syncIncidents(
      trx,
      { connectionId: id, kinds: [...ORDER_INCIDENTS, 'position_unprotected', 'question_declined'] },
      wanted,
      realNow(),
    );
  });
  known.hasOrderIncidents = wanted.length > 0;
}
