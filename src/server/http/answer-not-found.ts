import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { sendRefusal } from './answer-errors.ts';
import { refuse } from './refusal.ts';
import { sendDocument, type WebDocument } from './web-documents.ts';

type Options = {
  readonly endpoints: readonly Endpoint[];
  /** Null where no web app is served. */
  readonly startPage: WebDocument | null;
};

/** Under /api: 405 if only the method is wrong, else 404, as JSON. Elsewhere the web app serves every page. */
export function answerNotFound(app: FastifyInstance, { endpoints, startPage }: Options): void {
  const methodsOf = methodFinder(endpoints);
  app.setNotFoundHandler((request, reply) => {
    const pathname = request.url.split('?', 1)[0]!;
    if (pathname === '/api' || pathname.startsWith('/api/')) {
      const methods = methodsOf(pathname);
      if (methods.length === 0)
        return sendRefusal(reply, refuse('not_found', 'This address does not exist.'));
      reply.header('allow', methods.join(', '));
      const message = `This address supports ${methods.join(', ')}, not ${request.method}.`;
      return sendRefusal(reply, refuse('method_not_allowed', message));
    }
    return startPage !== null && isPage(request, pathname)
      ? sendDocument(request, reply, startPage)
      : reply.status(404).type('text/plain; charset=utf-8').send('Not found');
  });
}

function isPage(request: FastifyRequest, pathname: string): boolean {
  const isOfNoPage = pathname.startsWith('/assets/') || /^\/sandbox(\/|$)/.test(pathname);
  return (request.method === 'GET' || request.method === 'HEAD') && !isOfNoPage;
}

function methodFinder(endpoints: readonly Endpoint[]): (pathname: string) => readonly string[] {
  const patterns = endpoints.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  return (pathname) => [
    ...new Set(patterns.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method)),
  ];
}
