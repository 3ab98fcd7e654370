import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { tradingFloor } from '../support/trading-floor.ts';
import { lockOwnDeployment, requestStatus } from '#records/deployments/deployments.ts';
import type { UserId } from '#units/identifiers.ts';
import { sendOrders } from '#trader/execution/send-orders.ts';

const handle = await testDatabase();
const floor = await tradingFloor(handle);
const { pool, database } = handle;
/** PAUSE_TRIALS asks for more than fit into every run of all tests. */
const PAUSE_TRIALS = Number(process.env.PAUSE_TRIALS ?? 200);

/** Leaves the processor to others for none, some or many turns, so that each trial meets at another place. */
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

const person = await floor.person();
const id = await floor.deploy(person);
let sent: string[] = [];
beforeEach(() => {
  sent = [];
  floor.reported.submit = (order, mayLeave) => {
    if (!mayLeave()) return { outcome: 'not_sent', code: 'refused', reason: 'too late' };
    sent.push(order.clientOrderId);
    return { outcome: 'accepted', brokerOrderId: `B${sent.length}` };
  };
});
afterEach(() => {
  expect(new Set(sent).size).toBe(sent.length);
});

/**
 * One order to be sent while `stop` is made known, the sending some turns ahead: whether it had begun to leave, and how
 * many left.
 */
async function race(ahead: number, stop: () => Promise<void>, undo: () => Promise<unknown>) {
  const [order] = await floor.order(person, [id]);
  const before = sent.length;
  const sending = sendOrders(floor.context, floor.connect(person));
  await turns(ahead);
  await stop();
  const { rows } = await pool.query(`select status from orders where id = $1`, [order!.id]);
  const hadBegun = rows[0].status !== 'intended' && rows[0].status !== 'withdrawn';
  await sending;
  await sendOrders(floor.context, floor.connect(person));
  const left = sent.length - before;
  await undo();
  await pool.query(`update orders set status = 'cancelled', ended_at = now() where id = $1`, [order!.id]);
  return { hadBegun, left };
}

async function outcomes(trials: number, stop: () => Promise<void>, undo: () => Promise<unknown>) {
  const counts = { leftBefore: 0, heldBack: 0 };
  let ahead = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { hadBegun, left } = await race(ahead, stop, undo);
    // The start homes in on where the two meet, however fast the machine is, and so most trials are close ones.
    ahead = hadBegun ? Math.floor(ahead * 0.8) : Math.ceil(ahead * 1.2) + 5;
    // What had begun when the answer came may leave, once; nothing else.
    expect({ trial, left }).toEqual({ trial, left: hadBegun ? 1 : 0 });
    counts[hadBegun ? 'leftBefore' : 'heldBack'] += 1;
  }
  expect(floor.problems).toEqual([]);
  return counts;
}

test(`in ${PAUSE_TRIALS} pauses against a sending nothing begins to leave once the pause is answered`, {
  timeout: 60_000 + PAUSE_TRIALS * 200,
}, async () => {
  const userId = person.user as UserId;
  const pause = () =>
    database.transaction().execute(async (trx) => {
      const locked = await lockOwnDeployment(trx, { id, userId });
      await requestStatus(trx, { id: locked!.id, status: 'paused' });
    });
  const resume = () => pool.query(`update deployments set requested_status = null where id = $1`, [id]);
  const { leftBefore, heldBack } = await outcomes(PAUSE_TRIALS, pause, resume);
  // Both ends of the race were seen, or it was none.
  expect(leftBefore).toBeGreaterThan(0);
  expect(heldBack).toBeGreaterThan(0);
});
