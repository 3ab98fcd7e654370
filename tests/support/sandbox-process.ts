// The sandbox as a process of its own, and the vendor's punishment of those who ask too often.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

export type SandboxProcess = { readonly process: ChildProcess; readonly address: string };

/** `folder` keeps its books and its keys; `more` are settings besides. */
export async function startSandbox(
  folder: string,
  daySeconds: number,
  more: NodeJS.ProcessEnv = {},
): Promise<SandboxProcess> {
  const entry = path.resolve(import.meta.dirname, '../../sandbox/start.ts');
  const child = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      SANDBOX_PORT: '0',
      SANDBOX_DAY_SECONDS: String(daySeconds),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', () => reject(new Error('the sandbox ended before it listened')));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const address = /listening on (\S+?),/.exec(said)?.[1];
    if (address !== undefined) resolve(address);
  });
  return { process: child, address: await promise };
}

/** From now on it holds everybody to the vendor's published limits. */
export async function punishHaste(address: string): Promise<void> {
  const body = JSON.stringify({ limits: true });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address}/sandbox/faults`, { method: 'POST', body, headers });
  if (!answer.ok) throw new Error(await answer.text());
}
