// The owner's choice for a broker that has been silent for some time. Nothing can be sent during the silence, so the
// choice is requested when the broker responds again.
import type { CommandedStatus } from './effective-status.ts';
import { canMove } from './status.ts';

export const DISCONNECT_CHOICES = ['wait', 'pause', 'close'] as const;
export type DisconnectChoice = (typeof DISCONNECT_CHOICES)[number];

export type DisconnectPolicy = {
  readonly choice: DisconnectChoice;
  /** Of the market's clock; 0 never applies. */
  readonly minutes: number;
};

/** The request to make after this many minutes of silence; null leaves the deployment as it is. */
export function afterDisconnect(
  { status, requestedStatus }: CommandedStatus,
  { choice, minutes }: DisconnectPolicy,
  unresponsiveMinutes: number,
): 'paused' | 'stopped' | null {
  if (choice === 'wait' || minutes < 1 || unresponsiveMinutes < minutes) return null;
  // A request by a person, or a matter that a person must look at, goes first.
  if (requestedStatus !== null || status === 'failed') return null;
  if (choice === 'pause') return canMove({ from: status, to: 'paused', by: 'client' }) ? 'paused' : null;
  return canMove({ from: status, to: 'stopping', by: 'client' }) ? 'stopped' : null;
}
