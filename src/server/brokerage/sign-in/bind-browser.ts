import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOwnCookie, setOwnCookie } from '../../http/own-cookie.ts';
import { hashState } from './hash-state.ts';

const CALLBACK_PATH = '/api/broker-connections/callback';

/**
 * Marks the browser that started a sign-in, so that a link sent to another person does not connect their account to
 * the sender. The cookie does not sign anyone in: only the callback reads it.
 */
export function bindBrowser(reply: FastifyReply, state: string, { publicUrl, seconds }: Binding): void {
  setOwnCookie(reply, { name: cookieName(state), value: state, seconds, sameSite: 'Lax' }, publicUrl);
}

type Binding = { readonly publicUrl: string; readonly seconds: number };

/** False for a browser that did not start the sign-in. A client that is not a browser page cannot be tricked. */
export function isBoundBrowser(request: FastifyRequest, state: string, publicUrl: string): boolean {
  if (request.headers['sec-fetch-mode'] !== 'navigate') return true;
  return findOwnCookie(request, cookieName(state), publicUrl) === state;
}

/**
 * The address that the broker redirects to. A user who reaches this machine as 127.0.0.1 returns to that name, where
 * their cookie is; all other users return to the public address.
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
