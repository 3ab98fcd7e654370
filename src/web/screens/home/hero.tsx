import { HeroRecord } from '../../strategies/hero-record.tsx';
import { StartButton } from './start-button.tsx';
import { ViewDemo } from './view-demo.tsx';

export function Hero() {
  return (
    <section
      aria-labelledby="hero"
      className="grid items-center gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
    >
      <div>
        <h1
          id="hero"
          className="font-serif text-2xl text-balance sm:text-[3.25rem] sm:leading-[1.08] sm:tracking-[-0.015em]"
        >
          AI trading strategies you can check before you trust them
        </h1>
        <p className="mt-6 max-w-xl text-lg text-ink-soft">
          For people who invest their own savings. Choose a strategy, see the case for and against it, and run
          it in your own brokerage account, within limits that you set.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <StartButton />
          <ViewDemo />
        </div>
      </div>
      <HeroRecord />
    </section>
  );
}
