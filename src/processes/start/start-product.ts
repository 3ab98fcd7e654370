// What every start has in common: its parts come up in order, each a process of its own, and stop together.
import path from 'node:path';
import type { Environment } from '../environment/environment.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { startDatabase } from '../database/embedded-postgres.ts';
import { noteBackupFolder } from '../database/wal-archive.ts';
import { worldDatabase } from '../database/world-database.ts';
import { lockDataDir } from './data-lock.ts';
import { portRefusal } from './free-port.ts';
import { startRole } from './role.ts';
import { startCommand } from './start-command.ts';

export type Start = {
  say(line: string): void;
  /** Stops it when the product stops: the newest first. */
  keep(part: Part): void;
  /** Locks the data folder. */
  lock(environment: Environment): void;
  /** The address of the database of this market, which runs from now on. */
  database(environment: Environment): Promise<string>;
  /** Runs a command of this world to its end. */
  command(word: string, environment: Environment): Promise<void>;
  role(word: 'api' | 'trader' | 'worker'): Promise<void>;
  /** A program besides the roles. */
  program(name: string, entry: string, variables: Record<string, string>, readyLine: RegExp): Promise<void>;
};

type Part = { stop(): Promise<void>; expectEnd?(): void };

/** `main` is the file of the world's program. Ends the process when the start fails. */
export async function startProduct(main: string, start: (tools: Start) => Promise<void>): Promise<void> {
  // Compiled modules without types: a role that finds all its modules here starts faster and does not need to load the
  // compiler.
  process.env.NODE_COMPILE_CACHE ??= path.resolve(
    import.meta.dirname,
    '../../../node_modules/.cache/compiled',
  );
  /** What has been started, in order; stopped in the opposite order. */
  const started: Part[] = [];
  const stopAll = async () => {
    for (const part of started) part.expectEnd?.();
    for (const part of started.splice(0).toReversed()) await part.stop();
  };
  let stopping = false;
  onStopSignal(async (reason) => {
    stopping = true;
    if (reason === 'SIGINT') say('\nStopping…');
    await stopAll();
  });
  try {
    await start(toolsOf(main, (part) => void started.push(part)));
  } catch (error) {
    // A start that is stopped half-way fails at its current step; the stop ends the process.
    if (stopping) return;
    warn(`\nBellwether could not start: ${error instanceof Error ? error.message : String(error)}`);
    await stopAll();
    process.exit(1);
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const warn = (line: string) => process.stderr.write(`${line}\n`);

function toolsOf(main: string, keep: (part: Part) => void): Start {
  const program = async (options: Omit<Parameters<typeof startRole>[0], 'onDeath'>) =>
    keep(await startRole({ ...options, onDeath: warn }));
  return {
    say,
    keep,
    lock({ dataDir }) {
      const lock = lockDataDir(dataDir);
      keep({ stop: async () => lock.release() });
    },
    async database(environment) {
      if (environment.databaseUrl !== null) return environment.databaseUrl;
      say('Starting the database…');
      if (environment.backupDir !== null) noteBackupFolder(environment.dataDir, environment.backupDir);
      const server = await startDatabase(environment.dataDir);
      keep(server);
      return (await server.openOther(worldDatabase(environment))).url;
    },
    /** It finds the embedded database by the data folder, and names that folder when it refuses the schema there. */
    async command(word, { databaseUrl }) {
      const running = startCommand(main, word, { DATABASE_URL: databaseUrl ?? '' });
      keep(running);
      await running.done;
    },
    role: (word) =>
      program({ name: word, entry: main, words: [word], environment: {}, readyLine: /serving/ }),
    program: (name, entry, environment, readyLine) => program({ name, entry, environment, readyLine }),
  };
}

/** Throws an Error that says what to do when nothing can listen at the port. */
export async function refuseTakenPort({ port, host }: Environment): Promise<void> {
  const refusal = await portRefusal(port, host);
  if (refusal === 'taken')
    throw new Error(`port ${port} is taken by another program. Choose another: PORT=${port + 1} npm start`);
  if (refusal === 'forbidden')
    throw new Error(
      `this account may not listen on port ${port}. Choose one above 1023: PORT=3000 npm start`,
    );
}
