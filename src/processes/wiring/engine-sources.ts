// The engine's source files on this machine, and the engine hash that results carry. The web app's build reads the same
// files by the same rules, so that both name the same engine.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ENGINE_FLOORS, engineHash, isEngineSource, type SourceFile } from '#engine/evidence/engine-hash.ts';

const SOURCE_ROOT = path.resolve(import.meta.dirname, '../..');

export function readEngineHash(): string {
  return engineHash(readEngineSources());
}

function readEngineSources(): SourceFile[] {
  return ENGINE_FLOORS.flatMap((floor) =>
    readdirSync(path.join(SOURCE_ROOT, floor), { recursive: true, encoding: 'utf8' })
      .map((name) => `${floor}/${name.replaceAll('\\', '/')}`)
      .filter(isEngineSource)
      .map((file) => ({ path: file, text: readFileSync(path.join(SOURCE_ROOT, file), 'utf8') })),
  );
}
