import type { ReactNode } from 'react';
import { Link, type LinkProps } from './link.tsx';
import { buttonClasses, type ButtonLook } from './button-look.ts';

/** A link that looks like a button: it goes somewhere, it changes nothing. */
export function ButtonLink({
  variant,
  size,
  wide,
  icon,
  className,
  children,
  ...rest
}: Omit<LinkProps, 'className'> & ButtonLook & { icon?: ReactNode; className?: string }) {
  return (
    <Link {...rest} className={buttonClasses({ variant, size, wide }, className)}>
      {icon}
      {children}
    </Link>
  );
}
