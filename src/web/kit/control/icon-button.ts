export const ICON_BUTTON =
  'relative flex size-10 items-center justify-center rounded-control text-ink-soft transition-colors hover:bg-raised hover:text-ink';
