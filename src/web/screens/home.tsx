import { usePageTitle } from '../kit/use-page-title.ts';
import { FeaturedStrategies } from '../strategies/featured-strategies.tsx';
import { ClosingCall } from './home/closing-call.tsx';
import { Features } from './home/features.tsx';
import { Hero } from './home/hero.tsx';
import { HowItWorks } from './home/how-it-works.tsx';
import { Tiles } from './home/tiles.tsx';

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
