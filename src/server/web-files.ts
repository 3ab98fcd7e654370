import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Files with a hash in their name never change; everything else is asked for again. */
const YEAR_SECONDS = 31_536_000;

/** Serves the built web app. Unknown pages get its index.html from the not-found handler. */
export async function serveWebFiles(app: FastifyInstance, webRoot: string): Promise<void> {
  if (!existsSync(path.join(webRoot, 'index.html'))) {
    throw new Error(`There is no built web app in ${webRoot}: build it first, or start without a web root.`);
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      const isHashed = /[\\/]assets[\\/]/.test(file);
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
}
