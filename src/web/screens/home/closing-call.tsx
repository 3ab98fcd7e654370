import { useHasProvider } from '../../call/installation.ts';
import { StartButton } from './start-button.tsx';

export function ClosingCall() {
  if (!useHasProvider()) return null;
  return (
    <section
      aria-labelledby="closing"
      className="flex flex-wrap items-center justify-between gap-x-12 gap-y-6 rounded-surface border bg-surface px-6 py-10 sm:px-10"
    >
      <div className="max-w-2xl">
        <h2 id="closing" className="font-serif text-xl">
          We are paid when you earn
        </h2>
        <p className="mt-3 text-ink-soft">
          30% of profit above your highest value so far. No management fee, no retainer: besides it there is
          only the price of your plan, which sets how much you may deploy. You never pay twice for a recovery.
          In the United States only qualified clients pay it; everybody else there pays none.
        </p>
      </div>
      <StartButton />
    </section>
  );
}
