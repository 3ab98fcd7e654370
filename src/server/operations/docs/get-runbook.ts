import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { Call } from '../../http/call.ts';
import { runbookPage } from './runbook-page.ts';

const FILE = path.resolve(import.meta.dirname, '../../../../docs/operators/runbook.md');

/** The document of operators, read once per process. */
export function makeGetRunbook(): Call<typeof operationsEndpoints.getRunbook> {
  let page: string | undefined;
  return async ({ reply }) => {
    page ??= runbookPage(readFileSync(FILE, 'utf8'));
    reply.header('cache-control', 'no-cache');
    return page;
  };
}
