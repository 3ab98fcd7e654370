import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { Rehearser, type RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { toMicro } from '#units/money.ts';
import { eachPublishedResult } from './each-published-result.ts';
import { WEB_ROOT } from './web-root.ts';

const TERMS: RehearsalTerms = {
  amount: toMicro(12_345.67),
  limits: { stopLossPercentage: 8, maxAllocationPercent: 25, freezeOnDrawdownPercent: 30 },
  takesFractions: false,
  feePercent: 30,
};

/** Each published strategy, by the worker that is served and by the engine here: equal bit for bit. Returns how many. */
export function compareRehearsals(baseUrl: string): Promise<number> {
  return eachPublishedResult(
    baseUrl,
    async ({ page, input, passportUrl, barsUrl }) => ({
      here: JSON.stringify(new Rehearser(input).rehearse(TERMS), asLists),
      there: await rehearseInBrowser(page, { passportUrl, barsUrl }),
    }),
    ({ here, there }, name) => expect(JSON.parse(there), name).toEqual(JSON.parse(here)),
  );
}

function asLists(_: string, value: unknown): unknown {
  return value instanceof Float64Array ? Array.from(value) : value;
}

function rehearseInBrowser(
  page: Page,
  addresses: { readonly passportUrl: string; readonly barsUrl: string },
): Promise<string> {
  const file = readdirSync(path.join(WEB_ROOT, 'assets')).find((name) =>
    /^rehearsal-worker-.*\.js$/.test(name),
  );
  if (file === undefined) throw new Error('the web app was built without the rehearsal');
  return page.evaluate<string>(`new Promise((resolve, reject) => {
    const thread = new Worker('/assets/${file}', { type: 'module' });
    thread.addEventListener('error', ({ message }) => reject(new Error(message)));
    thread.addEventListener('message', ({ data }) => {
      if (data.kind === 'failed') reject(new Error(data.message));
      if (data.kind === 'loaded') thread.postMessage(${JSON.stringify({ kind: 'rehearse', terms: TERMS })});
      if (data.kind !== 'rehearsed') return;
      thread.terminate();
      resolve(JSON.stringify(data.rehearsal, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
    });
    thread.postMessage(${JSON.stringify({ kind: 'load', ...addresses })});
  })`);
}
