import { classNames } from '../../kit/class-names.ts';

/** The mark: history dashed, a brass point where evidence begins, then the solid line of what happened. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="4 9 24 16" aria-hidden="true" fill="none" className={classNames('h-5 w-7.5', className)}>
      <path
        d="M5 22.5 9.5 18l4 2.5"
        className="stroke-ink-soft"
        strokeWidth="1.8"
        strokeDasharray="2.2 1.9"
      />
      <path
        d="m13.5 20.5 5-7 3.5 3 5-6.5"
        className="stroke-ink"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="13.5" cy="20.5" r="2" className="fill-brass" />
    </svg>
  );
}
