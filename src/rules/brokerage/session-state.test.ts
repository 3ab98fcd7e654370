import { expect, test } from 'vitest';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { sessionText } from './session-state.ts';

test('every state says what it means, and those that a person can end say how', () => {
  for (const state of SESSION_STATES) {
    const { title, meaning, nextStep } = sessionText(state, 'Example Broker');
    expect(title).not.toBe('');
    expect(meaning).toMatch(/\.$/);
    const isInTheirHands = ['sign_in_due', 'competing', 'read_only'].includes(state);
    expect(nextStep !== null).toBe(isInTheirHands);
  }
});
