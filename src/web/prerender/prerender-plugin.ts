import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { pageHtml } from './page-html.ts';

type Renderer = typeof import('./render-page.tsx');
type Bundle = Parameters<Extract<Plugin['writeBundle'], (...args: never[]) => unknown>>[1];

/**
 * Writes a document for each address of the app: public pages with what a visitor sees first, the others empty, all
 * with the scripts of their screen announced. pages.json tells the server which document belongs to which address in which
 * kind of installation; kinds that say the same share one.
 */
export function prerenderPages(): Plugin {
  let root = '';
  let folder = '';
  let scripts: ReadonlyMap<string, readonly string[]> = new Map();
  return {
    name: 'prerender-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      folder = path.resolve(config.root, config.build.outDir);
    },
    writeBundle(_options, bundle) {
      scripts = scriptsByFile(bundle);
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      handler: () =>
        withRenderer(root, path.join(folder, '.renderer'), (renderer) =>
          writePages(folder, scripts, renderer),
        ),
    },
  };
}

async function writePages(
  folder: string,
  scripts: ReadonlyMap<string, readonly string[]>,
  { INSTALLATIONS, PUBLIC_PAGES, SCREENS, earlyReads, renderPage }: Renderer,
): Promise<void> {
  const template = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const documents: Record<string, Record<string, string>> = Object.fromEntries(
    INSTALLATIONS.map((installation) => [installation, {}]),
  );
  for (const screen of SCREENS) {
    if (screen.path === '*') continue;
    const own = scripts.get(`screens/${screen.file}`);
    if (!own) throw new Error(`screens/${screen.file}.tsx, named for ${screen.path}, is not loaded by it.`);
    const personal = (screen.signedIn && scripts.get('shell/personal-tools')) || [];
    const announced = [...new Set([...own, ...personal])];
    const page = PUBLIC_PAGES.find(({ path: address }) => address === screen.path);
    const written = new Map<string | undefined, string>();
    for (const installation of INSTALLATIONS) {
      // Where there is no provider, its pages lead elsewhere in the browser.
      const isShown = page !== undefined && !(installation === 'own' && screen.ofProvider === true);
      const content = isShown ? await renderPage(page.path.replace(':id', '-'), installation) : undefined;
      const file =
        written.get(content) ?? documentOf(screen.path, written.size === 0 ? '' : `-${installation}`);
      documents[installation]![screen.path] = file;
      if (written.has(content)) continue;
      written.set(content, file);
      const { title, description } = page ?? {};
      const html = pageHtml(template, {
        scripts: announced,
        reads: earlyReads(screen.path),
        isPersonal: screen.signedIn === true,
        title,
        description,
        content,
      });
      writeFileSync(path.join(folder, file), html);
    }
  }
  writeFileSync(path.join(folder, 'pages.json'), JSON.stringify(documents, null, 2));
}

/** '/' is index.html, '/strategy/:id/deploy' is strategy-deploy.html; `kind` tells the others of an address apart. */
function documentOf(address: string, kind: string): string {
  const words = address.split('/').filter((word) => word !== '' && !word.startsWith(':'));
  const isOne = address.endsWith('/:id') && words.length === 1 ? '-one' : '';
  return `${words.join('-') || 'index'}${isOne}${kind}.html`;
}

/** For each screen, and the tools of those who are signed in, its own script and all that this one needs before it runs. */
function scriptsByFile(bundle: Bundle): ReadonlyMap<string, readonly string[]> {
  const needs = (file: string): string[] => {
    const chunk = bundle[file];
    return chunk?.type === 'chunk' ? [file, ...chunk.imports.flatMap(needs)] : [];
  };
  const found = new Map<string, readonly string[]>();
  for (const [file, chunk] of Object.entries(bundle)) {
    if (chunk.type !== 'chunk') continue;
    const name = /\/web\/((?:screens|shell)\/[\w/-]+)\.tsx$/.exec(chunk.facadeModuleId ?? '')?.[1];
    if (name !== undefined) found.set(name, [...new Set(needs(file))]);
  }
  return found;
}

/** The app built for Node, for as long as it is needed. */
async function withRenderer(
  root: string,
  outDir: string,
  work: (renderer: Renderer) => Promise<void>,
): Promise<void> {
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [react()],
      ssr: { noExternal: true },
      build: { ssr: 'prerender/render-page.tsx', outDir, copyPublicDir: false, target: 'node20' },
    });
    const entry = pathToFileURL(path.join(outDir, 'render-page.js')).href;
    await work((await import(entry)) as Renderer);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
