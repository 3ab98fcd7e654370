import path from 'node:path';
import { build, type Plugin } from 'vite';

/** Puts the early script into every document, in front of all that waits for a connection. */
export function earlyScript(): Plugin {
  let root = '';
  let file = '';
  return {
    name: 'early-script',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async generateBundle() {
      file = this.getFileName(
        this.emitFile({ type: 'asset', name: 'early.js', source: await asOneScript(root) }),
      );
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/(?=<link rel="icon")/, `<script src="/${file}"></script>\n    `),
    },
  };
}

/** Not a module: those run only after the document has been read. */
async function asOneScript(root: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: path.join(root, 'early/early-script.ts'), formats: ['iife'], name: 'early' },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !('output' in output)) throw new Error('The early script was not built.');
  const [chunk] = output.output;
  return chunk.code;
}
