import { ROUTES } from '#contract/http/route.ts';
import { refreshSession } from './refresh-session.ts';
import { type StreamEvent, readEvents } from './read-events.ts';
import { readAccessToken } from './tokens.ts';

/**
 * Listens to the stream until it ends or is called off. The token goes in the header, which the browser's own
 * EventSource cannot send. Null: the service takes no stream now.
 */
export async function callStream(signal: AbortSignal): Promise<AsyncGenerator<StreamEvent> | null> {
  const token = readAccessToken();
  if (token === null) return null;
  let response = await open(token, signal);
  if (response.status === 401) {
    const fresh = await refreshSession(token, signal);
    if (fresh === null) return null;
    response = await open(fresh, signal);
  }
  if (response.ok && response.body !== null) return readEvents(response.body);
  await response.body?.cancel();
  return null;
}

function open(token: string, signal: AbortSignal): Promise<Response> {
  const { method, path } = ROUTES.openStream;
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
  return fetch(path, { method, headers, cache: 'no-store', signal });
}
