import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Installation } from '#rules/installation.ts';
import { type Operator, readDocument, sendDocument, type WebDocument } from './web-documents.ts';

/** Files with a hash in their name never change; all others are revalidated. */
const YEAR_SECONDS = 31_536_000;

type Site = Operator & { readonly webRoot: string; readonly publicUrl: string };

/**
 * Serves the built web app: each address has its own document, written at build, with its canonical address. Returns the
 * start page, which unknown pages get from the not-found handler.
 */
export async function serveWebFiles(
  app: FastifyInstance,
  { webRoot, publicUrl, ...operator }: Site,
): Promise<WebDocument> {
  if (!existsSync(path.join(webRoot, 'index.html'))) {
    throw new Error(`There is no built web app in ${webRoot}: build it first, or start without a web root.`);
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    preCompressed: true,
    cacheControl: false,
    index: false,
    // Documents are sent filled in, below.
    allowedPath: (pathname) => !pathname.endsWith('.html'),
    setHeaders(reply, file) {
      const isHashed = /[\\/]assets[\\/]/.test(file);
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  const canonical = (pathname: string) => `<${new URL(pathname, publicUrl).href}>; rel="canonical"`;
  const documents: Record<string, string> = {
    '/': 'index.html',
    ...readDocuments(webRoot, operator.installation),
  };
  const startFile = documents['/']!;
  const start = readDocument(webRoot, startFile, operator);
  for (const [address, file] of Object.entries(documents)) {
    const document = file === startFile ? start : readDocument(webRoot, file, operator);
    app.get(address, { schema: { hide: true } }, (request, reply) => {
      const pathname = request.url.split('?', 1)[0] ?? '/';
      reply.header('link', canonical(pathname.replace(/(?<=.)\/$/, '')));
      return sendDocument(request, reply, document);
    });
  }
  return start;
}

/** By address, which document the build wrote for it. */
function readDocuments(webRoot: string, installation: Installation): Record<string, string> {
  const list = path.join(webRoot, 'pages.json');
  if (!existsSync(list)) return {};
  return (JSON.parse(readFileSync(list, 'utf8')) as Record<Installation, Record<string, string>>)[
    installation
  ];
}
