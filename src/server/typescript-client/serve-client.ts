import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../http/dependencies.ts';
import { writeClient } from './write-client.ts';

/** The client of this installation, written once per process. */
export function serveClient(app: FastifyInstance, { publicUrl, version }: ServerConfig): void {
  let client: string | undefined;
  app.get('/api/client.ts', { schema: { hide: true } as object }, (_request, reply) => {
    client ??= writeClient({ url: publicUrl, version });
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-disposition', 'attachment; filename="bellwether.ts"')
      .send(client);
  });
}
