const FEATURES = [
  {
    title: 'Deep learning models',
    text: 'Networks and statistical rules read prices and turn them into positions. Each is tested on years of history, with the costs of every trade taken off.',
  },
  {
    title: 'Real-time analysis',
    text: 'When a market closes, each strategy is evaluated once and its orders go to your broker. Every trade says why it was made, and so does every trade that was not.',
  },
  {
    title: 'Risk management',
    text: 'You set a stop loss, the most that one trade may hold, and the fall at which trading freezes. The limits are yours; no strategy can change them.',
  },
] as const;

export function Features() {
  return (
    <section aria-labelledby="features">
      <h2 id="features" className="font-serif text-xl">
        What does the work
      </h2>
      <div className="mt-8 grid gap-x-12 gap-y-8 border-t pt-8 md:grid-cols-3">
        {FEATURES.map((feature) => (
          <div key={feature.title}>
            <h3 className="text-base font-medium">{feature.title}</h3>
            <p className="mt-2 text-ink-soft">{feature.text}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
