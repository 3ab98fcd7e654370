import type { Readable } from 'node:stream';
import type { notificationsEndpoints } from '#contract/notifications.ts';
import type { Call, Caller } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

/** Null when the person has too many open already. */
export type Streams = { open(caller: Caller): Readable | null };

export function makeOpenStream(streams: Streams): Call<typeof notificationsEndpoints.openStream> {
  return async ({ caller, reply }) => {
    const stream = streams.open(caller);
    if (stream === null) {
      const message = 'Too many streams are open for this account. Close one, or poll instead.';
      return refuse('too_many_requests', message, { retryAfterSeconds: 60 });
    }
    // A proxy that collects an answer before passing it on would hold back every event.
    reply.header('x-accel-buffering', 'no');
    // Its connection ends with it: kept alive, it would hold up a server that stops.
    reply.header('connection', 'close');
    return stream;
  };
}
