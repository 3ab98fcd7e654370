import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'gain' | 'loss' | 'caution' | 'brass' | 'practice';

export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}

const TONES: Readonly<Record<BadgeTone, string>> = {
  neutral: 'border text-ink-soft',
  accent: 'bg-accent-wash text-accent',
  gain: 'bg-gain-wash text-gain',
  loss: 'bg-loss-wash text-loss',
  caution: 'bg-caution-wash text-caution',
  brass: 'bg-brass-wash text-brass',
  practice: 'border border-dotted border-current text-ink',
};
