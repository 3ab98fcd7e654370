import { useId, type CSSProperties, type ReactNode } from 'react';

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
  const shown = Math.min(max, Math.max(min, value));
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          {label}
        </label>
        <span className="figures text-lg text-ink">{show(value)}</span>
      </div>
      <input
        type="range"
        id={id}
        className="slider"
        style={filledTo(max > min ? (shown - min) / (max - min) : 0)}
        value={shown}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        aria-valuetext={show(value)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
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

/** How far the track has the colour of the thumb, for the class `slider`. */
function filledTo(fraction: number): CSSProperties {
  return { '--filled': fraction } as CSSProperties;
}
