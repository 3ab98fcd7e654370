// What anybody sent to a real broker's stand-in as an order, read off the wire before the stand-in looks at it.
import type { FastifyInstance } from 'fastify';

export function recordOrders(app: FastifyInstance, sent: string[]): void {
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST' && request.url.includes('/orders')) sent.push(JSON.stringify(request.body));
  });
}
