// Ticks for all handlers of a trader together, as often as the product's trader ticks by itself.
import { setTimeout as pause } from 'node:timers/promises';

/** The next tick: at once, or a pause after the last one. A tick that runs already is not the next. */
export type AskForLook = (when: 'at once' | 'in turn') => Promise<void>;

export function oneLook(tick: () => Promise<unknown>, everyMs: number): AskForLook {
  let next: { readonly done: Promise<void>; readonly hurry: AbortController } | null = null;
  let last: Promise<void> = Promise.resolve();
  const begin = () => {
    const hurry = new AbortController();
    const done = last
      .catch(() => undefined)
      .then(() => pause(everyMs, undefined, { signal: hurry.signal }))
      .catch(() => undefined)
      .then(async () => {
        next = null;
        await tick();
      });
    last = done;
    return { done, hurry };
  };
  return (when) => {
    next ??= begin();
    if (when === 'at once') next.hurry.abort();
    return next.done;
  };
}
