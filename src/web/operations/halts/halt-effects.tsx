import { type HaltEffect, haltEffect } from '#rules/operations/kill-switch.ts';

/** Shows what a halt does to working orders, before it is turned on. */
export function HaltEffects({ cancelsWorking }: { cancelsWorking: boolean }) {
  const effect = haltEffect({ cancelsWorking });
  return (
    <dl aria-live="polite" className="grid gap-3 border-y py-4 text-sm">
      {NAMES.map(([key, name]) => (
        <div key={key} className="grid gap-0.5 sm:grid-cols-[8.5rem_1fr] sm:gap-4">
          <dt className="text-ink-faint">{name}</dt>
          <dd className="text-ink-soft">{effect[key]}</dd>
        </div>
      ))}
    </dl>
  );
}

const NAMES: readonly (readonly [keyof HaltEffect, string])[] = [
  ['waiting', 'Not sent yet'],
  ['working', 'At the broker'],
  ['stops', 'Protective stops'],
];
