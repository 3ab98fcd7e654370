import type { ActiveConnection } from '../connections/connection.ts';
import { createBeginnings } from './begin-sending.ts';
import { createAnswers } from './record-answers.ts';

/** The transactions of a send that the connections of a trader share. */
export type SendingTogether = {
  readonly begin: ReturnType<typeof createBeginnings>;
  readonly record: ReturnType<typeof createAnswers>;
};

export function createSendingTogether(): SendingTogether {
  return { begin: createBeginnings(), record: createAnswers() };
}

/** A connection whose orders may leave. */
export type SendingConnection = ActiveConnection & { readonly together: SendingTogether };
