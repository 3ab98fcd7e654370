import { useRef } from 'react';
import { CallError } from './call-error.ts';

/**
 * For what must happen once however often it is pressed: presses while one is under way share its answer, and one that
 * got no answer is repeated under the same key. A refusal is an answer: the next press is a new attempt.
 */
export function useSingleAttempt<Input, Output>(
  carryOut: (input: Input, idempotencyKey: string) => Promise<Output>,
): (input: Input) => Promise<Output> {
  const key = useRef<string | null>(null);
  const running = useRef<Promise<Output> | null>(null);
  const attempt = async (input: Input) => {
    key.current ??= newKey();
    try {
      return await carryOut(input, key.current);
    } catch (error) {
      if (isAnswered(error)) key.current = null;
      throw error;
    } finally {
      running.current = null;
    }
  };
  return (input) => (running.current ??= attempt(input));
}

function isAnswered(error: unknown): boolean {
  return (
    error instanceof CallError &&
    error.status > 0 &&
    error.status < 500 &&
    error.code !== 'idempotency_conflict'
  );
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
