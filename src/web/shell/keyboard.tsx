import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useHasProvider } from '../call/installation.ts';
import { useSession } from '../call/session.tsx';
import { footerLinks, headerLinks, MONEY_LINKS } from './layout/navigation.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('../palette/command-palette.tsx')).CommandPalette,
}));

/** Asks for the palette, as Ctrl K does: for a button. */
export const PALETTE_EVENT = 'open-palette';

/** Ctrl K, or ⌘ K, goes anywhere; J and K move along the items of a page's list. */
export function Keyboard() {
  const [isOpen, setOpen] = useState(false);
  const before = useRef<Element | null>(null);
  const { user } = useSession();
  const hasProvider = useHasProvider();
  useEffect(() => {
    const open = () => {
      before.current = document.activeElement;
      setOpen(true);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        (event.ctrlKey || event.metaKey) &&
        !event.shiftKey &&
        !event.altKey &&
        event.key.toLowerCase() === 'k'
      ) {
        event.preventDefault();
        if (document.querySelector('dialog[open]') === null) open();
      }
      if (isPlain(event) && (event.key === 'j' || event.key === 'k'))
        moveAlongItems(event.key === 'j' ? 1 : -1);
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener(PALETTE_EVENT, open);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener(PALETTE_EVENT, open);
    };
  }, []);
  useEffect(() => {
    if (isOpen) return;
    // The window is gone before the browser could give the focus back; after a choice the new page takes it.
    if (before.current instanceof HTMLElement && document.activeElement === document.body)
      before.current.focus();
    before.current = null;
  }, [isOpen]);
  if (!isOpen) return null;
  const links = [
    ...headerLinks(user),
    ...(user === null ? [] : MONEY_LINKS),
    ...footerLinks({ isSignedIn: user !== null, hasProvider }).flatMap((group) => group.links),
  ];
  const places = [...Map.groupBy(links, ({ to }) => to).values()].map(([first]) => first!);
  return (
    <Suspense>
      <CommandPalette places={places} isSignedIn={user !== null} onClose={() => setOpen(false)} />
    </Suspense>
  );
}

/** A key by itself, outside of fields and open dialogs. */
function isPlain({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return false;
  return !(
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

/** Focuses the next item, `[data-item]`, from the one that has the focus; the first one where none has. */
function moveAlongItems(step: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')].filter(
    (item) => item.offsetParent !== null,
  );
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? items[0] : items[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
