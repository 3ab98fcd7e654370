// Faults that a harness applies to the answers of its stand-in: silence, a lost answer, a garbled answer.
import type { FastifyInstance } from 'fastify';

export type WireFaults = {
  /** The answer to the next order never arrives. */
  lose: boolean;
  /** No request gets an answer. */
  isSilent: boolean;
  garble: { text: string; status: number } | null;
};

/** `touches` selects the addresses whose answers are lost or garbled; silence affects all. */
export function plantWireFaults(app: FastifyInstance, touches: RegExp): WireFaults {
  const faults: WireFaults = { lose: false, isSilent: false, garble: null };
  app.addHook('onRequest', (request, _reply, done) => {
    if (faults.isSilent) request.raw.socket.destroy();
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!touches.test(request.url)) return done(null, payload);
    if (faults.garble) {
      const { text, status } = faults.garble;
      faults.garble = null;
      reply.code(status).removeHeader('content-length');
      return done(null, text);
    }
    if (faults.lose && request.method === 'POST') {
      faults.lose = false;
      request.raw.socket.destroy();
    }
    return done(null, payload);
  });
  return faults;
}
