// The list of the packages that the product runs with, in CycloneDX, and its signature: Ed25519 over the bytes of the file, 64 bytes
// in a file beside it, which openssl can check as well.
import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Bill = {
  metadata: { component: { name: string } };
  components: { 'bom-ref': string; name: string; version: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};

type Lock = {
  name: string;
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>;
};

/**
 * By npm, from the lock file of `root`, as the image has them: without what only building and the embedded server need. npm lists
 * all, and we leave those out, because with its own `--omit=dev` version 11 leaves out packages that we run with. Answers how many.
 */
export function makeBill(root: string, file: string): number {
  const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const done = spawnSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (done.status !== 0) throw new Error(`npm sbom failed: ${done.stderr || String(done.error)}`);
  const bill = JSON.parse(done.stdout) as Bill;
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const installed = installedOf(lock);
  const components = bill.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
  const kept = new Set(components.map((one) => one['bom-ref']));
  const left = new Set(bill.components.map((one) => one['bom-ref']).filter((ref) => !kept.has(ref)));
  const dependencies = bill.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter((ref) => !left.has(ref)) }));
  // npm takes the name of the folder.
  const metadata = { ...bill.metadata, component: { ...bill.metadata.component, name: lock.name } };
  writeFileSync(file, `${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`);
  return components.length;
}

/** Name and version of each package that `npm ci --omit=dev --omit=optional` leaves. */
function installedOf({ packages }: Lock): ReadonlySet<string> {
  return new Set(
    Object.entries(packages)
      .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
      .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`),
  );
}

export function signatureFileOf(file: string): string {
  return `${file}.sig`;
}

export function signFile(file: string, keyFile: string): void {
  const key = readKey(keyFile, createPrivateKey, 'private');
  writeFileSync(signatureFileOf(file), sign(null, readFileSync(file), key));
}

export function isSignedFile(file: string, keyFile: string): boolean {
  const key = readKey(keyFile, createPublicKey, 'public');
  return verify(null, readFileSync(file), key, readFileSync(signatureFileOf(file)));
}

function readKey(file: string, read: (pem: string) => KeyObject, half: 'private' | 'public'): KeyObject {
  const text = readFileSync(file, 'utf8');
  try {
    const key = read(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, with the file.
  }
  throw new Error(
    `${file} holds no ${half} Ed25519 key in PEM form. Make one: openssl genpkey -algorithm ed25519 -out release.pem; ` +
      'its public half: openssl pkey -in release.pem -pubout -out release.pub',
  );
}
