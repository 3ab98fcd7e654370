import type { Readable } from 'node:stream';
import type { notificationsEndpoints } from '#contract/notifications.ts';
import type { Call, Caller } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

/** Null when the user already has too many open. */
export type Streams = { open(caller: Caller): Readable | null };

export function makeOpenStream(streams: Streams): Call<typeof notificationsEndpoints.openStream> {
  return async ({ caller, reply }) => {
    const stream = streams.open(caller);
    if (stream === null) {
      const message = 'Too many streams are open for this account. Close one, or poll instead.';
      return refuse('too_many_requests', message, { retryAfterSeconds: 60 });
    }
    // A proxy that buffers the answer would hold back every event.
    reply.header('x-accel-buffering', 'no');
    // Closes the connection with the stream: kept alive, it would delay a server's shutdown.
    reply.header('connection', 'close');
    return stream;
  };
}
