const FEATURES = [
  {
    title: 'Deep learning models',
    text: 'Neural networks and statistical rules turn prices into positions. Each is tested on years of history, after the costs of every trade.',
  },
  {
    title: 'Real-time analysis',
    text: 'When a market closes, each strategy is evaluated and its orders go to your broker. Every trade comes with its reason, and so does every trade that was skipped.',
  },
  {
    title: 'Risk management',
    text: 'You set a stop loss, a maximum position size, and the drawdown at which trading freezes. No strategy can change your limits.',
  },
] as const;

export function Features() {
  return (
    <section aria-labelledby="features">
      <h2 id="features" className="font-serif text-xl">
        Under the hood
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
