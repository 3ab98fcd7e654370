// Stores the port of a data folder's sandbox, so that a command next to the running product finds it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const fileOf = (dataDir: string) => path.join(dataDir, 'sandbox', 'port');

export function noteSandboxPort(dataDir: string, port: number): void {
  mkdirSync(path.dirname(fileOf(dataDir)), { recursive: true });
  writeFileSync(fileOf(dataDir), `${port}\n`);
}

/** Null when no sandbox was ever started there. */
export function recallSandboxPort(dataDir: string): number | null {
  try {
    const port = Number(readFileSync(fileOf(dataDir), 'utf8'));
    return Number.isInteger(port) && port > 0 ? port : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
