import type { FastifyReply } from 'fastify';

/** A file of one person, kept nowhere on the way. */
export function describeFile(reply: FastifyReply, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`);
  reply.header('cache-control', 'private, no-store');
}
