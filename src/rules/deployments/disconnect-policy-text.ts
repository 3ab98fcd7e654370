// What a deployment does when its broker has been silent for a while, as its owner chooses it. Promises the choices
// that the trader carries out, in words. Nothing can be sent during the silence, so each is carried out when it ends.
import type { DisconnectPolicy } from '#engine/lifecycle/disconnect-policy.ts';
import type { FieldProblem } from './field-problem.ts';

export const DEFAULT_DISCONNECT_POLICY: DisconnectPolicy = { choice: 'wait', minutes: 60 };

/** A shorter silence is a restart; after a week it is more than a silence. */
const DISCONNECT_MINUTES = { min: 5, max: 10_080 } as const;

/** What a form offers; a program may request any other length in the range. */
export const DISCONNECT_MINUTES_OFFERED = [15, 60, 240, 1_440] as const;

export function checkDisconnectPolicy(policy: DisconnectPolicy): FieldProblem | null {
  const { choice, minutes } = policy;
  if (choice === 'wait') return null;
  const { min, max } = DISCONNECT_MINUTES;
  const code = minutes < min ? 'below_minimum' : minutes > max ? 'above_maximum' : null;
  if (code === null) return null;
  const message = `The waiting time must be between ${min} and ${max} minutes.`;
  return { field: 'disconnect_minutes', code, message };
}

/** As one line of a form or of a list of settings. */
export function disconnectPolicyLabel({ choice, minutes }: DisconnectPolicy): string {
  if (choice === 'wait') return 'Wait, then continue as before';
  const after = `after ${durationWords(minutes)}`;
  return choice === 'pause' ? `Pause ${after}` : `Close everything ${after}`;
}

/** What it means, as a sentence. */
export function disconnectPolicyMeaning({ choice, minutes }: DisconnectPolicy): string {
  const long = durationWords(minutes);
  switch (choice) {
    case 'wait':
      return 'No orders can be sent while your broker is not responding. Once it responds, we reconcile everything, then trading continues.';
    case 'pause':
      return `If your broker does not respond for ${long} or more, trading is paused once it is back. Positions stay open.`;
    case 'close':
      return `If your broker does not respond for ${long} or more, all positions are sold and the deployment closes once it is back.`;
    default:
      return choice satisfies never;
  }
}

function durationWords(minutes: number): string {
  const [count, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
