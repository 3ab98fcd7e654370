import { ToggleGroup } from 'radix-ui';

/** One of a few, side by side. Choosing the chosen one again changes nothing. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { readonly value: Value; readonly label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => next && onChange(next as Value)}
      className="inline-flex rounded-control border p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="figures h-8 min-w-10 rounded-[4px] px-2.5 text-sm text-ink-soft transition-colors hover:text-ink data-[state=on]:bg-accent-wash data-[state=on]:font-medium data-[state=on]:text-accent"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
