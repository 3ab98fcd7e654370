import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../kit/control/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { ErrorState } from '../../../kit/state/error-state.tsx';
import { Skeleton } from '../../../kit/state/skeleton.tsx';
import { useStrategies, useStrategyPerformance } from '../../../strategies/strategy-queries.ts';
import { ChooseScene } from './choose-scene.tsx';
import { FollowScene } from './follow-scene.tsx';
import { LimitsScene } from './limits-scene.tsx';
import { RecordScene } from './record-scene.tsx';
import { FiguresHidden, isFiguresHidden } from '../../../strategies/figures-hidden.tsx';

const SCENE_MS = 7_000;

const SCENES = [
  { title: 'Choose', text: 'Each strategy shows its returns and its weaknesses side by side.' },
  {
    title: 'Check',
    text: 'Its record against a benchmark, after costs. Dashed lines are history, not a promise.',
  },
  { title: 'Limit', text: 'Your amount, stop loss and drawdown limit. No strategy can change them.' },
  { title: 'Follow', text: 'Every trade is listed with its result and its reason.' },
] as const;

/** Four scenes that follow each other until someone takes over. They do not move under reduced motion. */
export function Walk() {
  const strategies = useStrategies();
  const strategy = strategies.data?.find((candidate) => candidate.is_featured) ?? strategies.data?.[0];
  const performance = useStrategyPerformance(strategy?.id, 'week');
  const [scene, setScene] = useState(0);
  const [playing, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);

  useEffect(() => {
    if (!playing) return undefined;
    const timer = window.setTimeout(() => setScene((scene + 1) % SCENES.length), SCENE_MS);
    return () => window.clearTimeout(timer);
  }, [playing, scene]);

  if (isFiguresHidden(strategies.error)) return <FiguresHidden error={strategies.error} />;
  if (strategies.isError || performance.isError) {
    return <ErrorState title="The demo could not load the marketplace" />;
  }
  if (!strategy || !performance.data) return <Skeleton className="h-[420px]" />;
  const current = SCENES[scene]!;
  return (
    <div>
      <div
        key={scene}
        className="h-[320px] animate-fade overflow-hidden rounded-control border bg-ground p-4 sm:p-6"
        aria-hidden="true"
      >
        {scene === 0 && <ChooseScene strategy={strategy} />}
        {scene === 1 && <RecordScene performance={performance.data} />}
        {scene === 2 && <LimitsScene />}
        {scene === 3 && <FollowScene trades={performance.data.recent_trades} />}
      </div>
      <p className="mt-5 min-h-12 text-ink-soft" aria-live={playing ? 'off' : 'polite'}>
        <span className="font-medium text-ink">{current.title}.</span> {current.text}
      </p>
      <div className="mt-4 flex items-center gap-4">
        <PlayButton playing={playing} onPress={() => setPlaying(!playing)} />
        <SceneList
          scene={scene}
          playing={playing}
          onChoose={(chosen) => {
            setScene(chosen);
            setPlaying(false);
          }}
        />
      </div>
      <p className="mt-4 text-xs text-ink-faint">
        Figures in this demo are hypothetical. They come from the backtest of {strategy.name}.
      </p>
    </div>
  );
}

function PlayButton({ playing, onPress }: { playing: boolean; onPress: () => void }) {
  const Icon = playing ? Pause : Play;
  return (
    <Button
      variant="secondary"
      size="small"
      icon={<Icon className="size-4" aria-hidden="true" />}
      onClick={onPress}
    >
      {playing ? 'Pause' : 'Play'}
    </Button>
  );
}

/** The scenes by name; the bar over the current one fills while it plays. */
function SceneList({
  scene,
  playing,
  onChoose,
}: {
  scene: number;
  playing: boolean;
  onChoose: (scene: number) => void;
}) {
  return (
    <ol className="grid flex-1 grid-cols-4 gap-2">
      {SCENES.map((entry, i) => (
        <li key={entry.title}>
          <button
            type="button"
            aria-current={i === scene ? 'step' : undefined}
            onClick={() => onChoose(i)}
            className="block w-full py-2 text-left text-xs text-ink-faint hover:text-ink aria-[current]:text-ink"
          >
            <span className="mb-1.5 block h-0.5 overflow-hidden rounded-full bg-control-line/40">
              <span
                key={`${scene}-${playing}`}
                className={classNames(
                  'block h-full bg-accent-fill',
                  i > scene && 'scale-x-0',
                  i === scene && playing && 'animate-fill-across',
                )}
                style={i === scene ? { animationDuration: `${SCENE_MS}ms` } : undefined}
              />
            </span>
            {entry.title}
          </button>
        </li>
      ))}
    </ol>
  );
}
