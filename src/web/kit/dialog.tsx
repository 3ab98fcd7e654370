import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A window over the page. Escape, the backdrop and the close button shut it, unless `closable` is false. */
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
  /** Buttons, the one that goes on last. */
  footer?: ReactNode;
  width?: 'narrow' | 'wide';
  closable?: boolean;
}) {
  const keepOpen = (event: Event) => {
    if (!closable) event.preventDefault();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || closable) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-ground/80 backdrop-blur-[2px]" />
        <Radix.Content
          onEscapeKeyDown={keepOpen}
          onInteractOutside={keepOpen}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            'fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[calc(100dvh-2rem)] -translate-y-1/2 overflow-y-auto rounded-surface border bg-surface p-6 shadow-float',
            width === 'narrow' ? 'max-w-lg' : 'max-w-4xl',
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="font-serif text-xl">{title}</Radix.Title>
            {closable && (
              <Radix.Close
                aria-label="Close"
                className="-mt-1 -mr-2 flex size-10 items-center justify-center rounded-control text-ink-soft hover:bg-raised hover:text-ink"
              >
                <X className="size-5" aria-hidden="true" />
              </Radix.Close>
            )}
          </div>
          {description && <Radix.Description className="mt-2 text-ink-soft">{description}</Radix.Description>}
          {children && <div className="mt-6">{children}</div>}
          {footer && <div className="mt-8 flex flex-wrap justify-end gap-3">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
