/** With what a person confirms that it is them. */
export type ConfirmedBy = 'passkey' | 'code' | 'password';

/** Asks the person; false when they go back. */
type Ask = (by: ConfirmedBy) => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** The shell says how it asks; until then nobody is asked. */
export function answerConfirmations(how: Ask): () => void {
  ask = how;
  return () => {
    if (ask === how) ask = null;
  };
}

/** Calls that wait for a confirmation at the same time share one question. */
export function askConfirmation(by: ConfirmedBy): Promise<boolean> {
  if (ask === null) return Promise.resolve(false);
  asking ??= ask(by).finally(() => {
    asking = null;
  });
  return asking;
}
