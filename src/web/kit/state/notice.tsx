import { CircleAlert, Info, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

const LOOKS = {
  info: { icon: Info, box: 'border', mark: 'text-ink-soft' },
  caution: { icon: TriangleAlert, box: 'bg-caution-wash', mark: 'text-caution' },
  failure: { icon: CircleAlert, box: 'bg-loss-wash', mark: 'text-loss' },
  success: { icon: Info, box: 'bg-gain-wash', mark: 'text-gain' },
  evidence: { icon: ShieldCheck, box: 'bg-brass-wash', mark: 'text-brass' },
} as const;

/** A message that belongs to the page. A failure is announced at once, everything else politely. */
export function Notice({
  tone = 'info',
  title,
  children,
  action,
}: {
  tone?: keyof typeof LOOKS;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const look = LOOKS[tone];
  return (
    <div
      role={tone === 'failure' ? 'alert' : 'status'}
      className={classNames('flex items-start gap-3 rounded-surface p-4 text-sm max-sm:flex-wrap', look.box)}
    >
      <look.icon className={classNames('mt-0.5 size-4 shrink-0', look.mark)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium text-ink">{title}</p>}
        {children && (
          <div className={classNames('text-ink-soft', title !== undefined && 'mt-1')}>{children}</div>
        )}
      </div>
      {action && <div className="max-sm:w-full max-sm:pl-7">{action}</div>}
    </div>
  );
}
