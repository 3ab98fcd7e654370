import { useRef, type KeyboardEvent } from 'react';

/** One of a few, side by side; the arrow keys move the choice (ARIA APG, radio group). */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { readonly value: Value; readonly label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const group = useRef<HTMLDivElement>(null);
  const place = options.findIndex((option) => option.value === value);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const next = step && options.at((place + step) % options.length);
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    group.current?.querySelectorAll('button')[options.indexOf(next)]?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="inline-flex rounded-control border p-0.5"
    >
      {options.map((option, i) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={i === place}
          tabIndex={i === Math.max(0, place) ? 0 : -1}
          onClick={() => i !== place && onChange(option.value)}
          className="figures h-8 min-w-10 rounded-[4px] px-2.5 text-sm text-ink-soft transition-colors hover:text-ink aria-checked:bg-accent-wash aria-checked:font-medium aria-checked:text-accent"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
