// Messages that appear in a corner and leave by themselves.

export type ToastType = 'info' | 'success' | 'warning' | 'error';

export type Toast = {
  readonly id: number;
  readonly title: string;
  readonly message?: string;
  readonly type: ToastType;
};

/** Specification section 2: toasts auto-close after 10000 ms by default. */
export const TOAST_MS = 10_000;
const MOST_SHOWN = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Shows a toast: title, an optional message, and its type (info unless said). One that says the same leaves for it. */
export function showToast(toast: { title: string; message?: string; type?: ToastType }): void {
  const others = toasts.filter(({ title, message }) => title !== toast.title || message !== toast.message);
  setToasts([...others, { type: 'info' as const, ...toast, id: nextId++ }].slice(-MOST_SHOWN));
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
