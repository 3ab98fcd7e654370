import { Minus, Plus } from 'lucide-react';
import type { Case } from './for-and-against.ts';

export function CaseList({ pro, contra }: Case) {
  return (
    <div className="grid gap-x-10 gap-y-5 sm:max-lg:grid-cols-2">
      <Side title="For" sentences={pro} none="Nothing in its record." />
      <Side title="Against" sentences={contra} none="Nothing that its record shows." />
    </div>
  );
}

function Side({
  title,
  sentences,
  none,
}: {
  title: 'For' | 'Against';
  sentences: readonly string[];
  none: string;
}) {
  const Icon = title === 'For' ? Plus : Minus;
  return (
    <section aria-label={title}>
      <h2 className="text-sm font-medium">{title}</h2>
      <ul className="mt-1.5 grid gap-1.5 text-sm text-ink-soft">
        {(sentences.length === 0 ? [none] : sentences).map((sentence) => (
          <li key={sentence} className="flex gap-2">
            <Icon className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden="true" />
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}
