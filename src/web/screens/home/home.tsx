import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { FeaturedStrategies } from '../../strategies/list/featured-strategies.tsx';
import { ClosingCall } from './closing-call.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Tiles } from './tiles.tsx';

export function Home() {
  usePageTitle();
  return (
    <div className="grid gap-24">
      <div className="grid gap-14">
        <Hero />
        <Tiles />
      </div>
      <FeaturedStrategies />
      <HowItWorks />
      <Features />
      <ClosingCall />
    </div>
  );
}
