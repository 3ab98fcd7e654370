// A command of the product that the start waits for, in a process of its own: the memory that it took is freed at its end.
import { spawn } from 'node:child_process';

type RunningCommand = {
  /** Rejects with what the command wrote about its failure. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
};

export function startCommand(
  main: string,
  word: string,
  environment: Readonly<Record<string, string>>,
): RunningCommand {
  const child = spawn(process.execPath, [main, word], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-4_000);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    done: ended.then((code) => {
      if (code !== 0) throw new Error(complaint.trim() || `the command ${word} ended (${code})`);
    }),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
