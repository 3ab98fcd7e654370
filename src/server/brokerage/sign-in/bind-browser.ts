import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashState } from './hash-state.ts';

const CALLBACK_PATH = '/api/broker-connections/callback';

/**
 * Marks the browser that began a sign-in, so that an address sent to somebody else does not connect their account to
 * the sender. The cookie signs nobody in: it is read at the callback alone.
 */
export function bindBrowser(reply: FastifyReply, state: string, { origin, seconds }: Binding): void {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName(state)}=${state}; Path=${CALLBACK_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

type Binding = { readonly origin: string; readonly seconds: number };

/** False for a browser that comes to the callback without having begun. What is no browser page cannot be tricked. */
export function isBoundBrowser(request: FastifyRequest, state: string): boolean {
  if (request.headers['sec-fetch-mode'] !== 'navigate') return true;
  const cookies = (request.headers.cookie ?? '').split('; ');
  return cookies.includes(`${cookieName(state)}=${state}`);
}

/**
 * Where the broker sends the new window back to. Someone who reaches this machine as 127.0.0.1 comes back to it under
 * that name, where their cookie is; anyone else comes back to the public address.
 */
export function callbackAddress(request: FastifyRequest, publicUrl: string): URL {
  const published = new URL(publicUrl);
  const origin = request.headers.origin;
  const isHere =
    origin !== undefined && URL.canParse(origin) && isLoopback(new URL(origin)) && isLoopback(published);
  return new URL(CALLBACK_PATH, isHere ? origin : publicUrl);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

function cookieName(state: string): string {
  return `connecting_${hashState(state).toString('hex').slice(0, 16)}`;
}
