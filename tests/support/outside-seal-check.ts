// Programs that are not ours and share no code with what made a seal: pdfsig of Poppler (NSS), and OpenSSL.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function isInstalled(program: 'pdfsig' | 'openssl'): boolean {
  return spawnSync(program, [program === 'openssl' ? 'version' : '-v']).error === undefined;
}

/** What pdfsig says about every signature of the file. */
export function pdfsigSays(document: Uint8Array): string {
  return inFolder((folder) => {
    const file = path.join(folder, 'sealed.pdf');
    writeFileSync(file, document);
    const { stdout, stderr } = spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  });
}

/** Whether OpenSSL finds that the embedded CMS signs what the byte range covers, and that this certificate made it. */
export function opensslVerifies(document: Uint8Array, certificate: Uint8Array): boolean {
  const text = Buffer.from(document).toString('latin1');
  const range = /\/ByteRange\s*\[\s*0\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/.exec(text);
  if (range === null) return false;
  const [before, after, rest] = range.slice(1).map(Number) as [number, number, number];
  if (after + rest !== document.length) return false;
  const covered = Buffer.concat([document.subarray(0, before), document.subarray(after)]);
  return inFolder((folder) => {
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const der = Buffer.from(text.slice(before + 1, after - 1), 'hex');
    const base64 = Buffer.from(certificate).toString('base64').replace(/.{64}/g, '$&\n');
    const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
    const source = ['-in', file('signature.der', der), '-content', file('covered.bin', covered)];
    const trust = ['-CAfile', file('certificate.pem', pem), '-out', path.join(folder, 'out.bin')];
    const { status } = spawnSync('openssl', VERIFY.concat(source, trust));
    return status === 0;
  });
}

const VERIFY = ['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-purpose', 'any'];

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'outside-check-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
