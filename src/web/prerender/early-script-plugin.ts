import path from 'node:path';
import { build, type Plugin } from 'vite';

/** Writes the early script into every document, so that it waits for no other answer; the server names its hash in the policy. */
export function earlyScript(): Plugin {
  let root = '';
  return {
    name: 'early-script',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const script = `<script>${await asOneScript(root)}</script>`;
        return html.replace(/(?=<link rel="icon")/, () => `${script}\n    `);
      },
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
  return chunk.code.trim();
}
