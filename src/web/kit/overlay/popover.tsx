import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { classNames } from '../class-names.ts';

/**
 * A button that opens a small panel below it. Escape gives the focus back to the button; a press elsewhere,
 * or the focus moving elsewhere, shuts the panel.
 */
export function Popover({
  label,
  trigger,
  triggerClassName,
  panelLabel,
  width = 'w-64',
  onOpen,
  children,
}: {
  /** The button's name. */
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  panelLabel: string;
  width?: string;
  onOpen?: () => void;
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);

  useDismiss(open, box, {
    onDismiss: close,
    onEscape() {
      close();
      button.current?.focus();
    },
  });

  return (
    <div ref={box} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {open && (
        <section
          id={id}
          aria-label={panelLabel}
          className={classNames(
            'absolute right-0 z-30 mt-2 max-w-[calc(100vw-2rem)] animate-rise rounded-surface border bg-raised shadow-float',
            width,
          )}
        >
          {typeof children === 'function' ? children(close) : children}
        </section>
      )}
    </div>
  );
}

function useDismiss(
  open: boolean,
  box: RefObject<HTMLElement | null>,
  handlers: { onDismiss: () => void; onEscape: () => void },
) {
  const onElsewhere = useEffectEvent((event: Event) => {
    if (event.target instanceof Node && !box.current?.contains(event.target)) handlers.onDismiss();
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') handlers.onEscape();
  });
  useEffect(() => {
    if (!open) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('pointerdown', (event) => onElsewhere(event), { signal });
    document.addEventListener('focusin', (event) => onElsewhere(event), { signal });
    document.addEventListener('keydown', (event) => onKey(event), { signal });
    return () => listening.abort();
  }, [open]);
}
