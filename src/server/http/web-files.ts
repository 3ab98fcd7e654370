import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Files with a hash in their name never change; all others are revalidated. */
const YEAR_SECONDS = 31_536_000;

type Site = { readonly webRoot: string; readonly publicUrl: string };

/**
 * Serves the built web app: each address has its own document, written at build, with its canonical address. Unknown
 * pages get index.html, the start page, from the not-found handler.
 */
export async function serveWebFiles(app: FastifyInstance, { webRoot, publicUrl }: Site): Promise<void> {
  if (!existsSync(path.join(webRoot, 'index.html'))) {
    throw new Error(`There is no built web app in ${webRoot}: build it first, or start without a web root.`);
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    preCompressed: true,
    cacheControl: false,
    index: false,
    setHeaders(reply, file) {
      const isHashed = /[\\/]assets[\\/]/.test(file);
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  const canonical = (pathname: string) => `<${new URL(pathname, publicUrl).href}>; rel="canonical"`;
  for (const [address, file] of Object.entries({ '/': 'index.html', ...readDocuments(webRoot) })) {
    app.get(address, { schema: { hide: true } }, (request, reply) => {
      const pathname = request.url.split('?', 1)[0] ?? '/';
      return sendDocument(reply.header('link', canonical(pathname.replace(/(?<=.)\/$/, ''))), file);
    });
  }
}

/** A document of the app: revalidated on each request, answered with 304 if unchanged. */
export function sendDocument(reply: FastifyReply, file: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile(file);
}

/** By address, which document the build wrote for it. */
function readDocuments(webRoot: string): Record<string, string> {
  const list = path.join(webRoot, 'pages.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>) : {};
}
