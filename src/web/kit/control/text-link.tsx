import { Link, type LinkProps } from './link.tsx';
import { classNames } from '../class-names.ts';

export function TextLink({ className, ...rest }: Omit<LinkProps, 'className'> & { className?: string }) {
  return (
    <Link
      {...rest}
      className={classNames(
        'text-accent underline decoration-current/35 underline-offset-4 hover:decoration-current',
        className,
      )}
    />
  );
}
