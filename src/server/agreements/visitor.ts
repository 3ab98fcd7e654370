import type { FastifyRequest } from 'fastify';
import type { Visitor } from '#ports/signing.ts';

const USER_AGENT_LENGTH_MAX = 400;

export function visitorOf(request: FastifyRequest): Visitor {
  const userAgent = (request.headers['user-agent'] ?? 'not stated').slice(0, USER_AGENT_LENGTH_MAX);
  return { ip: request.ip, userAgent };
}
