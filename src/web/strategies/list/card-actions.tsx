import { Eye, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { useSession } from '../../call/session.tsx';
import { useWatch, useWatchList } from './watch-list-queries.ts';

type Named = Pick<Strategy, 'id' | 'name'>;

/** Below a card: watch it, and put it beside others. */
export function CardActions({
  strategy,
  isCompared,
  canCompare,
  onCompare,
}: {
  strategy: Named;
  isCompared: boolean;
  /** False once as many are compared as a chart can hold. */
  canCompare: boolean;
  onCompare: () => void;
}) {
  return (
    <div className="flex gap-1 pt-1">
      <WatchSwitch strategy={strategy} />
      <Switch
        name={`Compare ${strategy.name}`}
        isOn={isCompared}
        disabled={!isCompared && !canCompare}
        icon={<Scale className="size-4" aria-hidden="true" />}
        onClick={onCompare}
      >
        {isCompared ? 'Compared' : 'Compare'}
      </Switch>
    </div>
  );
}

/** Nothing for visitors: a list is a person's. It has its place before the list is known. */
export function WatchSwitch({ strategy }: { strategy: Named }) {
  const list = useWatchList();
  const watch = useWatch(strategy.id);
  const { user } = useSession();
  if (user === null) return null;
  const isOn = list?.includes(strategy.id) === true;
  return (
    <Switch
      name={`Watch ${strategy.name}`}
      isOn={isOn}
      disabled={list === undefined || watch.isPending}
      icon={<Eye className="size-4" aria-hidden="true" />}
      onClick={() => watch.mutate(!isOn)}
    >
      {isOn ? 'Watching' : 'Watch'}
    </Switch>
  );
}

function Switch({
  name,
  isOn,
  disabled,
  icon,
  onClick,
  children,
}: {
  name: string;
  isOn: boolean;
  disabled: boolean;
  icon: ReactNode;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={isOn}
      disabled={disabled}
      onClick={onClick}
      className="inline-flex h-9 items-center gap-2 rounded-control px-2.5 text-sm text-ink-soft transition-colors hover:bg-raised hover:text-ink disabled:opacity-50 aria-pressed:text-accent"
    >
      {icon}
      {children}
    </button>
  );
}
