// The virtual object of a broker connection: Restate lets one invocation of a key run at a time, and runs it again elsewhere when
// the process that had it is gone. An invocation holds its connection for a term and then sends itself, so that the load is divided again.
import { createServer } from 'node:http2';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const OBJECT = 'connection';

/** Looks at the connection until the term is over; throws when the attempt has ended before. */
export type Hold = (connection: string, ended: AbortSignal) => Promise<void>;

/** What the trial uses of the SDK, which is a dependency of this folder and not of the product. */
type ObjectContext = {
  readonly key: string;
  request(): { readonly attemptCompletedSignal: AbortSignal };
  objectSendClient(object: { readonly name: string }, key: string): { hold(): void };
};
type Sdk = {
  object(definition: {
    readonly name: string;
    readonly handlers: { readonly hold: (context: ObjectContext) => Promise<void> };
    readonly options: object;
  }): object;
  createEndpointHandler(options: {
    readonly services: readonly object[];
    readonly logger: () => void;
  }): Parameters<typeof createServer>[1];
};

const SDK = path.join(import.meta.dirname, 'restate/node_modules/@restatedev/restate-sdk/dist/index.js');

/** Answers Restate at this port of the own machine. Returns the function that stops it. */
export async function serveConnections(port: number, hold: Hold): Promise<() => void> {
  const sdk = (await import(pathToFileURL(SDK).href)) as Sdk;
  const connection = sdk.object({
    name: OBJECT,
    handlers: {
      async hold(context) {
        // Outside of the journal: each attempt raises the fence for itself.
        await hold(context.key, context.request().attemptCompletedSignal);
        context.objectSendClient({ name: OBJECT }, context.key).hold();
      },
    },
    options: {
      // A hold is quiet for as long as it lasts.
      inactivityTimeout: 3_600_000,
      abortTimeout: 60_000,
      // Nothing of a hold is in the journal, so Restate never sees it get on: a delay that grew would never shrink again.
      retryPolicy: {
        initialInterval: 50,
        exponentiationFactor: 1,
        maxInterval: 50,
        maxAttempts: 1_000_000_000,
      },
    },
  });
  const server = createServer(
    sdk.createEndpointHandler({ services: [connection], logger: () => undefined })!,
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  return () => void server.close();
}
