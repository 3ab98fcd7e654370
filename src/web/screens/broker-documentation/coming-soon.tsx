import { Surface } from '../../kit/page/surface.tsx';
import type { BrokerGuide } from './broker-guides.ts';

export function ComingSoon({ guide }: { guide: BrokerGuide }) {
  return (
    <Surface aria-label={guide.name}>
      <p className="text-sm text-ink-faint">{guide.name}</p>
      <h2 className="mt-1 font-serif text-xl">Coming Soon</h2>
      <p className="prose-width mt-3 text-ink-soft">
        {guide.about} It cannot be connected yet. This is what we expect to support:
      </p>
      <ul className="mt-5 grid gap-2">
        {guide.features.map((feature) => (
          <li key={feature} className="border-t py-2 text-ink-soft">
            {feature}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm text-ink-faint">Expected assets: {guide.supportedAssets.join(', ')}</p>
    </Surface>
  );
}
