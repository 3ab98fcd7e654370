// One role of the product as a child process: started, watched, started again when it dies, stopped with its parent.
import { type ChildProcess, spawn } from 'node:child_process';
import { logLines } from './log-lines.ts';

export type Role = {
  readonly name: string;
  /** Marks the coming exit as intended: Ctrl-C reaches every process of a terminal at once. */
  expectEnd(): void;
  stop(): Promise<void>;
};

type RoleOptions = {
  readonly name: string;
  readonly entry: string;
  readonly words?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** The line that the process prints once it serves. */
  readonly readyLine: RegExp;
  /** Called on an unexpected exit; the role is then restarted. */
  readonly onDeath: (text: string) => void;
};

/** Starts a role and waits until it is serving. Throws with its last output if it ends before that. */
export async function startRole(options: RoleOptions): Promise<Role> {
  let stopping = false;
  let child = launch(options);
  await ready(child, options);
  watch();

  function watch(): void {
    child.process.once('exit', (code, signal) => {
      if (stopping) return;
      options.onDeath(`${options.name} ended (${signal ?? code}) and is started again`);
      setTimeout(() => {
        if (stopping) return;
        child = launch(options);
        ready(child, options).catch((error: unknown) => options.onDeath(String(error)));
        watch();
      }, RESTART_AFTER_MS);
    });
  }

  return {
    name: options.name,
    expectEnd: () => {
      stopping = true;
    },
    stop: () => {
      stopping = true;
      return stopChild(child.process);
    },
  };
}

/**
 * For the allocator of glibc, which else keeps what threads have freed, up to eight arenas a processor: in the worker 150 MiB.
 * Other allocators do not read it.
 */
const RETURN_FREED_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: String(128 * 1024) };
const RELEASE_MEMORY = new URL('./release-memory.ts', import.meta.url).href;
const RESTART_AFTER_MS = 1_000;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

type Child = { process: ChildProcess; lastWords(): string };

function launch(options: RoleOptions): Child {
  const child = spawn(
    process.execPath,
    ['--import', RELEASE_MEMORY, options.entry, ...(options.words ?? [])],
    {
      env: { ...RETURN_FREED_MEMORY, ...process.env, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let words = '';
  const keep = (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4_000);
  };
  const passOn = logLines((line) => process.stdout.write(`${line}\n`));
  child.stdout.on('data', (chunk: Buffer) => {
    keep(chunk);
    passOn(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    keep(chunk);
    process.stderr.write(chunk);
  });
  return { process: child, lastWords: () => words };
}

function ready(child: Child, options: RoleOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`${options.name} ${why}\n${child.lastWords().trim()}`));
    };
    const timer = setTimeout(
      () => fail(`did not say that it serves within ${READY_WITHIN_MS / 1_000} s`),
      READY_WITHIN_MS,
    );
    const onExit = (code: number | null) => fail(`ended (${code}) before it served`);
    child.process.once('exit', onExit);
    child.process.stdout?.on('data', () => {
      if (!options.readyLine.test(child.lastWords())) return;
      clearTimeout(timer);
      child.process.off('exit', onExit);
      resolve();
    });
  });
}

function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
