import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { classNames } from '../class-names.ts';

/**
 * A button that opens a small panel below it, on a phone a sheet at the bottom of the screen. Escape gives the focus back to the button; a press elsewhere,
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
  const panel = useRef<HTMLElement>(null);
  const close = () => setOpen(false);
  useLayoutEffect(() => {
    // A sheet lies above everything, wherever its button is: the header would hold it inside itself.
    if (!open || !window.matchMedia(PHONE).matches) return;
    panel.current?.setAttribute('popover', 'manual');
    panel.current?.showPopover();
  }, [open]);

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
          ref={panel}
          id={id}
          aria-label={panelLabel}
          className={classNames(
            'animate-rise border bg-raised p-0 text-ink shadow-float',
            'sm:absolute sm:right-0 sm:z-30 sm:mt-2 sm:max-w-[calc(100vw-2rem)] sm:rounded-surface',
            'max-sm:fixed max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:z-40 max-sm:m-0 max-sm:max-h-[85dvh] max-sm:w-full max-sm:max-w-none max-sm:overflow-y-auto max-sm:rounded-t-surface max-sm:pb-[env(safe-area-inset-bottom)]',
            width,
          )}
        >
          {typeof children === 'function' ? children(close) : children}
        </section>
      )}
    </div>
  );
}

const PHONE = '(width < 640px)';

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
