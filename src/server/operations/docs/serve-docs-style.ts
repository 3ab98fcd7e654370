import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { servePageStyle } from '../../http/serve-page-style.ts';

export function serveDocsStyle(app: FastifyInstance): void {
  servePageStyle(app, {
    url: '/api/docs/reader.css',
    file: path.join(import.meta.dirname, 'reader.css'),
  });
}
