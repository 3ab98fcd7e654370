import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';

/** A panel a hair lighter than the page. Surfaces are not put inside surfaces; hairlines divide them. */
export function Surface({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} className={classNames('rounded-surface border bg-surface p-5 sm:p-6', className)} />
  );
}
