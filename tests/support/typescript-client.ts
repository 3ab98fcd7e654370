// The client that a server hands out, in a folder of its own: checked by the compiler, and loaded as Node loads it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';

const TSC = path.resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
/** As strict as the compiler is, without the types of any package. */
const STRICT =
  '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature --noUnusedLocals --noUnusedParameters --noImplicitOverride --erasableSyntaxOnly --verbatimModuleSyntax --isolatedModules --allowImportingTsExtensions --target es2022 --module nodenext --types'.split(
    ' ',
  );

export type ClientFolder = {
  write(name: string, text: string): void;
  /** What the compiler says against a file; empty when it says nothing. */
  check(name: string): string;
  load<Module>(name: string): Promise<Module>;
};

export function clientFolder(client: string): ClientFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'client-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const folderWith: ClientFolder = {
    write: (name, text) => writeFileSync(path.join(folder, name), text),
    check: (name) => {
      const { stdout, stderr } = spawnSync(process.execPath, [TSC, ...STRICT, '', name], {
        cwd: folder,
        encoding: 'utf8',
      });
      return stdout + stderr;
    },
    load: (name) => import(/* @vite-ignore */ pathToFileURL(path.join(folder, name)).href),
  };
  folderWith.write('package.json', '{"type": "module"}');
  folderWith.write('bellwether.ts', client);
  return folderWith;
}
