// One plain JavaScript module from an entry of this folder, as a browser gets it.
import path from 'node:path';
import { build } from 'vite';

/** The code of the bundle. */
export async function bundle(entry: string): Promise<string> {
  const file = path.join(import.meta.dirname, entry);
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: file, output: { format: 'es' } },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  for (const one of outputs) {
    if (!('output' in one)) continue;
    const [chunk] = one.output;
    return chunk.code;
  }
  throw new Error(`${entry} gave no bundle`);
}
