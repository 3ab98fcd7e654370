import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { earlyScript } from './prerender/early-script-plugin.ts';
import { prerenderPages } from './prerender/prerender-plugin.ts';
import { ENGINE_FLOORS, engineHash, isEngineSource } from '#engine/evidence/engine-hash.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    earlyScript(),
    preloadTextFonts(),
    copyModels(),
    prerenderPages(),
    compressFiles(),
  ],
  // Verify states which engine it runs: the hash of the very files that this build reads.
  define: { __ENGINE_HASH__: JSON.stringify(readEngineHash()) },
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // A strict content security policy forbids data: fonts and scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs in one file, and apart from our own words, so that it stays cached over releases.
            { name: 'base', test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 6 },
            // The rest of what nearly every page needs: a browser asks a server for six files at a time, and each more would wait.
            {
              name: 'shell',
              test: /src\/web\/(main\.tsx|kit\/(?!figure\/(sparkline|heat-table)|chart\/)|(call|shell\/(?!personal|layout\/user-menu|screens)|strategies\/(strategy-queries|evidence\/(evidence-words|out-of-sample|sample-split)|figures-hidden))\b)|src\/(units\/|rules\/fees\/performance-fee)|node_modules\/lucide-react\//,
              priority: 5,
            },
            {
              name: 'chart',
              test: /src\/web\/(kit\/(chart|figure\/sparkline)|strategies\/list\/(strategy-card|fit\b))|src\/rules\/suitability\/is-suitable/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: 'person',
              test: /src\/web\/(identity\/(ask-passkey|code-field|passkey-(queries|button)|use-credentials-form)|notifications\/)/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'money',
              test: /src\/web\/(deployments|fees|brokerage|agreements|expectation|portfolio|operations\/(operations-queries|halts))\b|src\/rules\/(dollars|deployments)\b/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});

/** Asks for the two fonts of every page with the document itself, so that text does not change its face late. */
function preloadTextFonts(): Plugin {
  return {
    name: 'preload-text-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, context) =>
        Object.keys(context.bundle ?? {})
          .filter((file) => /(inter|newsreader)-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** The trained models with their cards, so that a visitor can run and read them. */
function copyModels(): Plugin {
  const models = path.resolve(import.meta.dirname, '../../models');
  return {
    name: 'copy-models',
    apply: 'build',
    generateBundle() {
      for (const name of readdirSync(models, { recursive: true, encoding: 'utf8' })) {
        if (!/\.onnx$|card\.(json|md)$/.test(name)) continue;
        const fileName = `models/${name.replaceAll('\\', '/')}`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(path.join(models, name)) });
      }
    },
  };
}

/** Writes the compressed forms of each text file next to it, so that the server only has to choose one. */
function compressFiles(): Plugin {
  let folder = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          if (!/\.(js|css|html|svg|wasm)$/.test(name)) continue;
          const file = path.join(folder, name);
          const text = readFileSync(file);
          if (name.endsWith('.wasm')) {
            // Megabytes: the better form would take the build half a minute.
            writeFileSync(`${file}.gz`, gzipSync(text));
            continue;
          }
          writeFileSync(`${file}.br`, brotliCompressSync(text));
          writeFileSync(`${file}.gz`, gzipSync(text));
        }
      },
    },
  };
}

/** The same files and rules as the processes use, so that server and browser state the same engine. */
function readEngineHash(): string {
  const source = path.resolve(import.meta.dirname, '..');
  const files = ENGINE_FLOORS.flatMap((floor) =>
    readdirSync(path.join(source, floor), { recursive: true, encoding: 'utf8' })
      .map((name) => `${floor}/${name.replaceAll('\\', '/')}`)
      .filter(isEngineSource)
      .map((file) => ({ path: file, text: readFileSync(path.join(source, file), 'utf8') })),
  );
  return engineHash(files);
}
