import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

export function serveDocsStyle(app: FastifyInstance): void {
  const css = readFileSync(path.join(import.meta.dirname, 'reader.css'), 'utf8');
  app.get('/api/docs/reader.css', { schema: { hide: true } as object }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css),
  );
}
