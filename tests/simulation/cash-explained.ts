// At the end of a world the cash of each account is explained to the cent, but for what only a person can explain: money
// that its owner moved, and dividends on shares that the broker moved without an execution.
import { conversionOf } from '#engine/cash/conversion.ts';
import { listForeignResults, readCashDoubts } from '#records/cash/cash-facts.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { tick } from './steps/step.ts';
import type { World } from './world.ts';

export async function unexplainedCash(world: World): Promise<string[]> {
  // A statement waits while the end of a session is still to be processed here: the broker has paid its swaps already.
  for (let look = 0; look < LOOKS; look++) {
    world.moveTo((world.now() + MINUTE_MS) as Instant);
    await tick(world);
  }
  const found: string[] = [];
  for (const { account } of world.people) {
    const { rows } = await world.records.pool.query<Stated>(
      `select sum(unexplained_micro)::float / 1e6 as unexplained,
         (array_agg(is_final order by date desc))[1] as "isFinal",
         exists (select from cash_breaks b where b.account_id = $1 and b.ended_at is null) as "isAsked"
       from cash_statements where account_id = $1 having count(*) > 0`,
      [account],
    );
    const [stated] = rows;
    if (stated === undefined) continue;
    const { unexplained, isFinal, isAsked } = stated;
    const isDrifted = world.moved.some((move) => move.account === account);
    const moved = movedByOwner(world, account);
    const { database } = world.records;
    const { isNetted } = await readCashDoubts(database, account as BrokerAccountId);
    const { max } = conversionOf(await listForeignResults(database, account as BrokerAccountId));
    // A difference is asked about whole: in one that the owner made, what exchange rates moved is not told apart.
    const byRates = moved === 0 ? 0 : fromMicro(max);
    // While the broker nets positions of several deployments, what it has realized is not what they have.
    if (!isDrifted && !isNetted && Math.abs(unexplained - moved) > CENT + byRates)
      found.push(
        `I22 ${account} shows ${unexplained} dollars beyond the books, and its owner moved ${moved}`,
      );
    if (isFinal && Math.abs(unexplained) > CENT && !isAsked)
      found.push(`I22 nobody is asked about ${unexplained} of ${account}`);
  }
  return found;
}

/** Since the opening of its account: what came before is in it. */
function movedByOwner({ ownerMoves }: World, account: string): number {
  return ownerMoves.filter((move) => move.account === account).reduce((sum, { dollars }) => sum + dollars, 0);
}

type Stated = {
  readonly unexplained: number;
  readonly isFinal: boolean;
  /** Whether staff have it before them. */
  readonly isAsked: boolean;
};

const CENT = 0.01;
const LOOKS = 3;
