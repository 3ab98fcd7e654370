// `npm run verify`: the invariants I1 to I20 on the live database and, where it answers, at the broker. Prints a table;
// exits with 1 and the violating rows when one fails, with 2 when it could not look.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { type BrokerSide, type Verdict, checkInvariants } from '#trader/invariants/check-invariants.ts';
import { saveVerdicts } from '#trader/incidents/save-verdicts.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { type Environment, readEnvironment } from './environment/environment.ts';
import { runningEnvironment } from './wiring/running-environment.ts';
import { wireTrader } from './wiring/wire-trader.ts';
import { worldDatabase } from './database/world-database.ts';

const ROWS_SHOWN = 20;
const PAUSE_MS = 1_500;

try {
  const environment = readEnvironment();
  const verdicts = await withCommandDatabase(
    environment,
    async (handle) => {
      const found = await checkInvariants(handle.database, await brokerSide(environment, handle));
      await saveVerdicts(handle.database, found, wallInstant(Date.now()));
      return found;
    },
    worldDatabase(environment),
  );
  print(verdicts);
  process.exit(verdicts.some(({ violations }) => violations.length > 0) ? 1 : 0);
} catch (error) {
  process.stderr.write(`verify could not run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}

/** The broker as the running product knows it, or why it cannot be asked. */
async function brokerSide(environment: Environment, handle: DatabaseHandle): Promise<BrokerSide | string> {
  try {
    const trader = await wireTrader(runningEnvironment(), handle, 'command');
    const clock = await trader.marketData.clock();
    if (clock.ok && clock.value.mode !== environment.market)
      return `another world runs from this folder: name it with MARKET${environment.market === 'sandbox' ? ' and REPLAY_FROM' : ''} as at its start`;
    return { broker: trader.broker, openCredentials: trader.openCredentials, pause: () => sleep(PAUSE_MS) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
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
