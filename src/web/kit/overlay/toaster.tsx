import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { classNames } from '../class-names.ts';
import { dismissToast, listToasts, TOAST_MS, watchToasts, type Toast } from './toast.ts';

/** The corner where toasts appear. The live regions exist from the start, so screen readers announce the first. */
export function Toaster() {
  const toasts = useSyncExternalStore(watchToasts, listToasts, listToasts);
  const [paused, setPaused] = useState(false);
  return (
    <section
      aria-label="Messages"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--bottom-bar,0px))] z-60 ml-auto max-w-sm sm:right-6 sm:bottom-6 sm:left-auto sm:w-96"
    >
      <div role="status" aria-live="polite" aria-relevant="additions">
        <ol className="grid gap-2">
          {toasts.map((toast) => (
            <ToastCard key={toast.id} toast={toast} paused={paused} />
          ))}
        </ol>
      </div>
    </section>
  );
}

function ToastCard({ toast, paused }: { toast: Toast; paused: boolean }) {
  useEffect(() => {
    if (paused) return undefined;
    const timer = window.setTimeout(() => dismissToast(toast.id), TOAST_MS);
    return () => window.clearTimeout(timer);
  }, [toast.id, paused]);
  const look = LOOKS[toast.type];
  return (
    <li className="pointer-events-auto flex animate-rise items-start gap-3 rounded-surface border bg-raised p-4 shadow-float">
      <look.icon className={classNames('mt-0.5 size-4 shrink-0', look.colour)} aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium text-ink">{toast.title}</p>
        {toast.message && <p className="mt-0.5 text-ink-soft">{toast.message}</p>}
      </div>
      <button
        type="button"
        aria-label="Close message"
        onClick={() => dismissToast(toast.id)}
        className="-m-2 flex size-9 items-center justify-center rounded-control text-ink-faint hover:text-ink"
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </li>
  );
}

const LOOKS = {
  info: { icon: Info, colour: 'text-ink-soft' },
  success: { icon: CircleCheck, colour: 'text-gain' },
  warning: { icon: TriangleAlert, colour: 'text-caution' },
  error: { icon: CircleAlert, colour: 'text-loss' },
} as const;
