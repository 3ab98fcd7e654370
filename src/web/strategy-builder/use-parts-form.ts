import { useState } from 'react';
import { useTuneStrategy } from './builder-queries.ts';

/** The state of a form that changes parts of a draft; a change takes back what was said about the last attempt to save. */
export function usePartsForm<Form extends object>(draft: string, initial: () => Form) {
  const tune = useTuneStrategy(draft);
  const [form, setForm] = useState(initial);
  const change = (part: Partial<Form>) => {
    tune.reset();
    setForm((present) => ({ ...present, ...part }));
  };
  return { tune, form, change, reset: () => change(initial()) };
}
