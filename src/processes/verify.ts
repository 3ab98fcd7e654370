// `npm run verify`: the invariants I1 to I23 on the live database and, where it answers, at the broker. Prints a table;
// exits with 1 and the violating rows when one fails, with 2 when it could not look.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrokerQuestions, createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { isTraderAlive } from '#records/operations/trading-shards.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import {
  type BrokerSide,
  type Verdict,
  checkInvariants,
  PAUSE_MS,
} from '#trader/invariants/check-invariants.ts';
import { readingOfTrader } from '#trader/invariants/reading-of-trader.ts';
import { saveVerdicts } from '#trader/incidents/save-verdicts.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { commandEnvironment } from './environment/command-environment.ts';
import { worldDatabase } from './database/world-database.ts';

const ROWS_SHOWN = 20;

try {
  const environment = await commandEnvironment();
  const verdicts = await withCommandDatabase(
    environment,
    async (handle) => {
      const questions = createBrokerQuestions(handle);
      try {
        const found = await checkInvariants(handle.database, await brokerSide(handle, questions));
        await saveVerdicts(handle.database, found, wallInstant(Date.now()));
        return found;
      } finally {
        await questions.close();
      }
    },
    worldDatabase(environment),
  );
  print(verdicts);
  process.exit(verdicts.some(({ violations }) => violations.length > 0) ? 1 : 0);
} catch (error) {
  process.stderr.write(`verify could not run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}

/**
 * The trader of this database owns the sessions at the broker, and is asked: a session of our own would replace its token.
 * Or why it cannot be asked.
 */
async function brokerSide(handle: DatabaseHandle, questions: BrokerQuestions): Promise<BrokerSide | string> {
  if (!(await isTraderAlive(handle.database)))
    return 'no trader runs over this database, and only a trader opens sessions at a broker';
  return {
    readingOf: (connection) => readingOfTrader(questions, connection),
    pause: () => sleep(PAUSE_MS),
  };
}

function print(verdicts: readonly Verdict[]): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const { invariant, says, violations, notChecked } of verdicts) {
    const result = notChecked !== null ? '–' : violations.length === 0 ? 'ok' : `FAILS ×${violations.length}`;
    say(
      `${invariant}  ${result.padEnd(10)}  ${says}${notChecked === null ? '' : `: not checked, ${notChecked}`}`,
    );
    for (const violation of violations.slice(0, ROWS_SHOWN)) say(`      ${JSON.stringify(violation)}`);
    if (violations.length > ROWS_SHOWN) say(`      … and ${violations.length - ROWS_SHOWN} more`);
  }
  const failing = verdicts.filter(({ violations }) => violations.length > 0).length;
  const unchecked = verdicts.filter(({ notChecked }) => notChecked !== null).length;
  say('');
  say(`${verdicts.length - failing - unchecked} hold, ${failing} fail, ${unchecked} could not be checked`);
}
