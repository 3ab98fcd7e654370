import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';

/**
 * A window over the page, on a phone a sheet at its bottom, on the platform's own dialog element: it keeps the focus, gives it back, and lets the
 * page behind rest. Escape, the backdrop and the close button shut it, unless `closable` is false.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  width = 'narrow',
  closable = true,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, with the confirm button last. */
  footer?: ReactNode;
  width?: 'narrow' | 'wide' | 'widest';
  closable?: boolean;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  const close = () => closable && onOpenChange(false);
  return (
    <dialog
      ref={element}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={() => open && onOpenChange(false)}
      onClick={(event) => event.target === event.currentTarget && close()}
      className={classNames(
        'm-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-sm:mx-0 max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none animate-rise overflow-y-auto rounded-surface border bg-surface text-ink shadow-float backdrop:bg-ground/80 backdrop:backdrop-blur-[2px]',
        WIDTHS[width],
      )}
    >
      {open && (
        <div className="p-6">
          <div className="flex items-start justify-between gap-4">
            <h2 id={`${id}-title`} className="min-w-0 font-serif text-xl wrap-anywhere">
              {title}
            </h2>
            {closable && <CloseButton onClick={close} />}
          </div>
          {description && (
            <p id={`${id}-description`} className="mt-2 text-ink-soft">
              {description}
            </p>
          )}
          {children && <div className="mt-6">{children}</div>}
          {footer && <div className="mt-8 flex flex-wrap justify-end gap-3">{footer}</div>}
        </div>
      )}
    </dialog>
  );
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Close"
      onClick={onClick}
      className="-mt-1 -mr-2 flex size-10 shrink-0 items-center justify-center rounded-control text-ink-soft hover:bg-raised hover:text-ink"
    >
      <X className="size-5" aria-hidden="true" />
    </button>
  );
}

const WIDTHS = { narrow: 'max-w-lg', wide: 'max-w-4xl', widest: 'max-w-6xl' } as const;
