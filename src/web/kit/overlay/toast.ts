// Messages that appear in a corner and leave by themselves.

type ToastType = 'info' | 'success' | 'warning' | 'error';

export type Toast = {
  readonly id: number;
  readonly title: string;
  readonly message?: string;
  readonly type: ToastType;
  /** News of one kind takes one place: what arrives replaces what is shown, so that news never covers the page. */
  readonly place?: string;
};

/** Specification section 2: toasts auto-close after 10000 ms by default. */
export const TOAST_MS = 10_000;
const MOST_SHOWN = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

type ToastContent = Omit<Toast, 'id' | 'type'> & Partial<Pick<Toast, 'type'>>;

/**
 * Shows a toast: title, an optional message, and its type (info by default). When both the click and the stream report the
 * same thing, one toast shows it, with the longer text.
 */
export function showToast(toast: ToastContent): void {
  if (toasts.some((shown) => shown.message !== toast.message && tellsAll(shown, toast))) return;
  const others = toasts.filter((shown) => !tellsAll(toast, shown) && !replaces(toast, shown));
  setToasts([...others, { type: 'info' as const, ...toast, id: nextId++ }].slice(-MOST_SHOWN));
}

function tellsAll(fuller: ToastContent, other: ToastContent): boolean {
  return fuller.title === other.title && (fuller.message ?? '').startsWith(other.message ?? '');
}

function replaces({ place }: ToastContent, shown: ToastContent): boolean {
  return place !== undefined && place === shown.place;
}

export function dismissToast(id: number): void {
  setToasts(toasts.filter((toast) => toast.id !== id));
}

export function listToasts(): readonly Toast[] {
  return toasts;
}

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
