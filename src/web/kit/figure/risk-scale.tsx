import { classNames } from '../class-names.ts';

/** The risk level of each score: 1 and 2 are low, 3 is medium, 4 and 5 are high. */
const WORDS = ['Low', 'Low', 'Medium', 'High', 'High'] as const;
const BARS = [0, 1, 2, 3, 4] as const;

/** A risk score from 1 (least risky) to 5, as five marks of rising height and in words. */
export function RiskScale({ score, compact = false }: { score: number; compact?: boolean }) {
  const level = Math.min(5, Math.max(1, Math.round(score)));
  return (
    <span className="inline-flex items-end gap-2">
      <svg viewBox="0 0 28 16" className="h-4 w-7 shrink-0" aria-hidden="true">
        {BARS.map((i) => (
          <rect
            key={i}
            x={i * 6}
            y={12 - i * 3}
            width="4"
            height={4 + i * 3}
            rx="1"
            className={classNames(i < level ? 'fill-ink' : 'fill-control-line/50')}
          />
        ))}
      </svg>
      <span className="text-sm leading-none text-ink-soft">
        {compact ? <span className="sr-only">{WORDS[level - 1]} risk, </span> : `${WORDS[level - 1]} risk `}
        <span className="figures text-ink-faint">
          {level}
          <span aria-hidden="true">/5</span>
          <span className="sr-only"> of 5</span>
        </span>
      </span>
    </span>
  );
}
