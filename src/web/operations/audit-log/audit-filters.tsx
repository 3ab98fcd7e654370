import { type FormEvent, useState } from 'react';
import { AUDIT_KIND_NAMES, AUDIT_KINDS } from '#rules/operations/audit-kind.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { Select } from '../../kit/control/select.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';

export const FILTERS = ['person', 'account', 'order', 'kind', 'from', 'to'] as const;
type Filter = (typeof FILTERS)[number];

export function AuditFilters({
  params,
  onFilter,
}: {
  params: URLSearchParams;
  onFilter: (wanted: Readonly<Record<string, string>>) => void;
}) {
  const [values, setValues] = useState<Readonly<Record<Filter, string>>>(
    () => Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? ''])) as Record<Filter, string>,
  );
  const set = (name: Filter, value: string) => setValues((now) => ({ ...now, [name]: value }));
  const filter = (event: FormEvent) => {
    event.preventDefault();
    onFilter(Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')));
  };
  const text = (name: Filter, label: string, hint?: string, type: 'text' | 'date' = 'text') => (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type={type}
          autoComplete="off"
          maxLength={200}
          value={values[name]}
          onChange={(event) => set(name, event.target.value)}
        />
      )}
    </Field>
  );
  return (
    <form onSubmit={filter} aria-label="Filters" className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {text('person', 'Person', 'An e-mail address or an id.')}
        {text('account', 'Account', 'Its number at the broker.')}
        {text('order', 'Order', 'A client order id.')}
        <Field label="Kind">
          {(wiring) => (
            <Select
              {...wiring}
              options={KINDS}
              value={values.kind}
              onChange={(event) => set('kind', event.target.value)}
            />
          )}
        </Field>
        {text('from', 'First day (UTC)', undefined, 'date')}
        {text('to', 'Last day (UTC)', undefined, 'date')}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Filter</Button>
        {[...params.keys()].length > 0 && (
          <Button variant="secondary" type="button" onClick={() => onFilter({})}>
            Show everything
          </Button>
        )}
      </div>
    </form>
  );
}

const KINDS = [
  { value: '', label: 'Every kind' },
  ...AUDIT_KIND_NAMES.map((value) => ({ value, label: AUDIT_KINDS[value] })).toSorted((left, right) =>
    left.label.localeCompare(right.label),
  ),
];
