import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The style of a page without a script: what such pages share, then the page's own. */
export function servePageStyle(
  app: FastifyInstance,
  { url, file }: { readonly url: string; readonly file: string },
): void {
  const common = path.join(import.meta.dirname, 'plain-page.css');
  const css = [common, file].map((part) => readFileSync(part, 'utf8')).join('\n');
  app.get(url, { schema: { hide: true } as object }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css),
  );
}
