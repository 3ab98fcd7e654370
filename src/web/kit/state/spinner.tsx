import { classNames } from '../class-names.ts';

/** Three pulsing dots: something is in progress. The text next to it says what. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 8" aria-hidden="true" className={classNames('h-2 w-5', className)}>
      {[2, 10, 18].map((x, i) => (
        <circle
          key={x}
          cx={x}
          cy="4"
          r="2"
          fill="currentColor"
          className="animate-breathe"
          style={{ animationDelay: `${i * 160}ms` }}
        />
      ))}
    </svg>
  );
}
