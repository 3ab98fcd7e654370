import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Rehearsal, RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { WEB_ROOT } from './web-root.ts';

type Addresses = { readonly passportUrl: string; readonly barsUrl: string };

/** Rehearses with the worker that is served; typed arrays come back as lists. `page` is at any address of the product. */
export async function rehearseInBrowser(
  page: Page,
  addresses: Addresses,
  terms: RehearsalTerms,
): Promise<unknown> {
  const file = readdirSync(path.join(WEB_ROOT, 'assets')).find((name) =>
    /^rehearsal-worker-.*\.js$/.test(name),
  );
  if (file === undefined) throw new Error('the web app was built without the rehearsal');
  const text = await page.evaluate(
    ({ worker, load, asked }) =>
      new Promise<string>((resolve, reject) => {
        const thread = new Worker(worker, { type: 'module' });
        thread.addEventListener('error', (event) => reject(new Error(event.message)));
        thread.addEventListener('message', ({ data }) => {
          if (data.kind === 'loaded') thread.postMessage({ kind: 'rehearse', terms: asked });
          if (data.kind === 'failed') reject(new Error(data.message));
          if (data.kind !== 'rehearsed') return;
          thread.terminate();
          resolve(
            JSON.stringify(data.rehearsal, (_, value) =>
              ArrayBuffer.isView(value) ? [...(value as never)] : value,
            ),
          );
        });
        thread.postMessage({ kind: 'load', ...load });
      }),
    { worker: `/assets/${file}`, load: addresses, asked: terms },
  );
  return JSON.parse(text);
}

/** What JSON makes of it, typed arrays as lists. */
export function asPlain(rehearsal: Rehearsal): unknown {
  return JSON.parse(
    JSON.stringify(rehearsal, (_, value: unknown) =>
      value instanceof Float64Array ? Array.from(value) : value,
    ),
  );
}
