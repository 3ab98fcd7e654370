import type { ComponentProps, ReactNode } from 'react';
import { buttonClasses, type ButtonLook } from './button-look.ts';
import { Spinner } from '../state/spinner.tsx';

type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    /** While true the button is disabled, keeps its width and shows busyLabel. */
    busy?: boolean;
    busyLabel?: string;
    icon?: ReactNode;
  };

export function Button({
  variant,
  size,
  wide,
  busy,
  busyLabel,
  icon,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClasses({ variant, size, wide }, className)}
    >
      {busy ? <Spinner /> : icon}
      {busy && busyLabel ? busyLabel : children}
    </button>
  );
}
