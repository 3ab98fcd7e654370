// The sandbox clock of a running product, moved as its person may move it from the same machine.
import { recallSandboxPort } from '#processes/demo-world/sandbox-port.ts';

export type SandboxClock = {
  now(): Promise<string>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Jumps forward to an instant, given in ISO 8601; one that is past changes nothing. */
  advanceTo(instant: string): Promise<void>;
};

const ANSWER_WITHIN_MS = 30_000;

export function sandboxClock(dataDir: string): SandboxClock {
  const move = async (body: object) => {
    const port = recallSandboxPort(dataDir);
    const answer = await fetch(`http://127.0.0.1:${port}/market/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!answer.ok && answer.status !== 409)
      throw new Error(`the sandbox clock: ${answer.status} ${await answer.text()}`);
  };
  return {
    async now() {
      const answer = await fetch(`http://127.0.0.1:${recallSandboxPort(dataDir)}/market/clock`, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return ((await answer.json()) as { now: string }).now;
    },
    pause: () => move({ pause: true }),
    resume: () => move({ resume: true }),
    advanceTo: (instant) => move({ to: instant }),
  };
}
