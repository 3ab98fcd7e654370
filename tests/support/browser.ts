// A Chromium for the journeys: one that is installed, else the one that comes as a package.
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Background traffic of the browser itself has no place in a test; as root its sandbox cannot start. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The packaged browser asks for one process for everything; there a second page takes the first one down with it. */
const ONE_PROCESS = ['--single-process', '--no-zygote'];

export async function launchBrowser(): Promise<Browser> {
  const installed = INSTALLED.find((file) => file !== undefined && existsSync(file));
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: QUIET });
  // The packaged browser unpacks itself into the temporary folder, which must be the account's own.
  const own = path.join(tmpdir(), `bellwether-chromium-${userInfo().uid}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const { args, executablePath } = await withTemporaryFolder(own, async () => {
    const { default: packaged } = await import('@sparticuz/chromium');
    return { args: packaged.args, executablePath: await packaged.executablePath() };
  });
  return chromium.launch({
    executablePath,
    args: [...args.filter((flag) => !ONE_PROCESS.includes(flag)), ...QUIET],
    env: { ...process.env, TMPDIR: own, LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' },
  });
}

async function withTemporaryFolder<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
