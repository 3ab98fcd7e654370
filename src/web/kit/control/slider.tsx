import { Slider as Radix } from 'radix-ui';
import { useId, type ReactNode } from 'react';

/** One value in a range, with its name, its value in words and the two ends. */
export function Slider({
  label,
  hint,
  value,
  onChange,
  min,
  max,
  step = 1,
  show = String,
  disabled = false,
}: {
  label: string;
  hint?: ReactNode;
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  /** How a value is written: (value) => `${value}%`. */
  show?: (value: number) => string;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <span id={id} className="text-sm font-medium text-ink">
          {label}
        </span>
        <span className="figures text-lg text-ink">{show(value)}</span>
      </div>
      <Radix.Root
        className="relative flex h-6 w-full touch-none items-center select-none data-disabled:opacity-60"
        value={[Math.min(max, Math.max(min, value))]}
        onValueChange={([next]) => next !== undefined && onChange(next)}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
      >
        <Radix.Track className="relative h-1 grow rounded-full bg-control-line/50">
          <Radix.Range className="absolute h-full rounded-full bg-accent-fill" />
        </Radix.Track>
        <Radix.Thumb
          aria-labelledby={id}
          aria-describedby={hint ? `${id}-hint` : undefined}
          aria-valuetext={show(value)}
          className="block size-5 rounded-full border-2 border-accent-fill bg-surface transition-shadow hover:ring-4 hover:ring-accent-wash focus-visible:rounded-full"
        />
      </Radix.Root>
      <div className="figures flex justify-between text-xs text-ink-faint" aria-hidden="true">
        <span>{show(min)}</span>
        <span>{show(max)}</span>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
