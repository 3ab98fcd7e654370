import { classNames } from '../class-names.ts';

export type ButtonLook = {
  /** primary: the one thing to do here; danger: only the final button of what cannot be undone. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'medium' | 'large';
  wide?: boolean;
};

export function buttonClasses(look: ButtonLook, extra?: string): string {
  const { variant = 'primary', size = 'medium', wide = false } = look;
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:opacity-50',
    SIZES[size],
    VARIANTS[variant],
    wide && 'w-full',
    extra,
  );
}

const SIZES = {
  small: 'h-8 px-3 text-sm',
  medium: 'h-10 px-4 text-sm',
  large: 'h-12 px-6 text-base',
} as const;

const VARIANTS = {
  primary: 'bg-accent-fill text-on-accent enabled:hover:bg-accent-fill-hover [a&]:hover:bg-accent-fill-hover',
  secondary:
    'border border-control-line/60 text-ink hover:border-control-line hover:bg-raised disabled:hover:bg-transparent',
  quiet: 'text-accent hover:bg-accent-wash disabled:hover:bg-transparent',
  danger: 'bg-danger-fill text-on-danger hover:opacity-90',
} as const;
