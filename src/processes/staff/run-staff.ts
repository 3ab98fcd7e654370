// `npm run staff`: invites the first admin, and asks in the name of staff for what others decide at their screens.
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { withCommandDatabase } from '../database/command-database.ts';
import { parseStaffArguments, STAFF_USAGE } from './staff-arguments.ts';
import { runStaffCommand } from './staff-command.ts';
import { refuseOtherInstallation } from '../wiring/refuse-other-brokers.ts';
import { openLinking } from '../wiring/open-linking.ts';
import type { World } from '../wiring/world.ts';
import { worldDatabase } from '../database/world-database.ts';

export async function runStaff(world: World, words: readonly string[]): Promise<void> {
  try {
    const command = parseStaffArguments(words);
    if (typeof command === 'string') {
      process.stderr.write(`${command}\n\n${STAFF_USAGE}\n`);
      process.exit(2);
    }
    const environment = world.runningEnvironment();
    if (command.name === 'create' && world.name !== 'demo-world') {
      process.stderr.write('staff: here staff are invited: `npm run staff -- invite --email ADDRESS`.\n');
      process.exit(2);
    }
    if (environment.installation === 'own' && (command.name === 'bill' || command.name === 'fee-period'))
      throw new Error('one person runs this installation for themselves: there is nobody to bill');
    const done = await withCommandDatabase(
      environment,
      async (handle) => {
        await refuseOtherInstallation(environment, handle);
        const brokerQuestions = createBrokerQuestions(handle);
        try {
          return await runStaffCommand(command, handle.database, process.env.STAFF_PASSWORD ?? null, () =>
            openLinking(environment, { brokerQuestions, database: handle.database }),
          );
        } finally {
          await brokerQuestions.close();
        }
      },
      worldDatabase(environment),
    );
    process.stdout.write(`${done.lines.join('\n')}\n`);
    process.exit(done.ok ? 0 : 1);
  } catch (error) {
    process.stderr.write(`staff: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
