/** How far something has come, from 0 to `max`. */
export function ProgressBar({
  label,
  value,
  max,
  text,
}: {
  label: string;
  value: number;
  max: number;
  text?: string;
}) {
  const share = Math.min(1, Math.max(0, max > 0 ? value / max : 0));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      className="h-1 overflow-hidden rounded-full bg-control-line/40"
    >
      <div
        className="h-full origin-left rounded-full bg-accent-fill transition-transform"
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
