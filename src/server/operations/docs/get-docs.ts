import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { Call } from '../../http/call.ts';
import { docsPage, type ApiDocument } from './docs-page.ts';

/** The OpenAPI document as a page, built once per process. */
export function makeGetDocs(): Call<typeof operationsEndpoints.getDocs> {
  let page: string | undefined;
  return async ({ request, reply }) => {
    page ??= docsPage(request.server.swagger() as unknown as ApiDocument);
    reply.header('cache-control', 'no-cache');
    return page;
  };
}
