import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { CONTROL_CLASSES } from './text-input.tsx';

type SelectOption = { readonly value: string; readonly label: string };

/** The platform's own select: the keyboard, the phone's wheel and the screen reader know it already. */
export function Select({
  options,
  compact = false,
  className,
  ...rest
}: Omit<ComponentProps<'select'>, 'children'> & { options: readonly SelectOption[]; compact?: boolean }) {
  return (
    <div className={classNames('relative', className)}>
      <select
        {...rest}
        className={classNames(
          CONTROL_CLASSES,
          'appearance-none pr-9 text-ellipsis',
          compact ? 'h-10 text-sm!' : 'h-11',
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-surface text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-faint"
      />
    </div>
  );
}
