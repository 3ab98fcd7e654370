import { useHasProvider } from '../../call/installation.ts';

const STEPS = [
  {
    title: 'Choose a strategy',
    text: 'Compare records and their weaknesses: the worst drawdown, how long it lasted, what it costs.',
  },
  {
    title: 'Configure and deploy',
    text: 'Answer six questions, sign the agreement, connect your brokerage account, and set your amount and limits.',
    ofOwn: 'Answer six questions, sign the statement of risks, and set your amount and limits.',
  },
  {
    title: 'Monitor and optimize',
    text: 'Follow every position and trade. Pause, change your limits or ask to sell at any time.',
  },
] as const;

export function HowItWorks() {
  const hasProvider = useHasProvider();
  return (
    <section aria-labelledby="how-it-works">
      <h2 id="how-it-works" className="font-serif text-xl">
        How It Works
      </h2>
      <ol className="mt-8 grid gap-8 md:grid-cols-3">
        {STEPS.map((step, i) => (
          <li key={step.title} className="border-t pt-5">
            <span className="figures font-serif text-lg text-ink-faint" aria-hidden="true">
              {i + 1}
            </span>
            <h3 className="mt-2 text-base font-medium">{step.title}</h3>
            <p className="mt-2 text-ink-soft">{!hasProvider && 'ofOwn' in step ? step.ofOwn : step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
