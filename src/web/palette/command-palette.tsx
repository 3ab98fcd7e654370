import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useDeployments } from '../deployments/deployment-queries.ts';
import { classNames } from '../kit/class-names.ts';
import { showWord } from '../kit/figure/show-figure.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { useStrategies } from '../strategies/strategy-queries.ts';
import { type Command, findCommands } from './find-commands.ts';

export type Place = { readonly to: string; readonly label: string };
type Destination = Command & { readonly to: string };

/** Goes anywhere by a few letters: pages, strategies, and the person's own deployments. */
export function CommandPalette({ isSignedIn, ...rest }: Opened & { isSignedIn: boolean }) {
  return (
    <Dialog open onOpenChange={rest.onClose} title="Go to" width="wide">
      {isSignedIn ? <WithOwn {...rest} /> : <Search {...rest} own={[]} />}
    </Dialog>
  );
}

type Opened = { readonly places: readonly Place[]; readonly onClose: () => void };

function WithOwn(opened: Opened) {
  const { data } = useDeployments();
  const own = (data ?? []).map(({ id, strategy_name: label, status }) => ({
    id: `deployment ${id}`,
    to: `/deployed-strategies/${id}`,
    label,
    hint: `Deployment, ${showWord(status).toLowerCase()}`,
  }));
  return <Search {...opened} own={own} />;
}

function Search({ places, own, onClose }: Opened & { own: readonly Destination[] }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const navigate = useNavigate();
  const found = findCommands(useDestinations(places, own), query);
  const at = Math.min(chosen, found.length - 1);
  const go = (destination: Destination | undefined) => {
    if (destination === undefined) return;
    onClose();
    void navigate(destination.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setChosen((at + step + found.length) % found.length);
    }
    if (event.key === 'Enter') go(found[at]);
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type
        autoFocus
        role="combobox"
        aria-label="Search pages, strategies and deployments"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] && `${id}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="A page, a strategy, a deployment"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="h-11 w-full rounded-control border border-control-line bg-ground px-3 text-ink placeholder:text-ink-faint"
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="mt-3 min-h-72">
        {found.map((destination, index) => (
          <Option
            key={destination.id}
            id={`${id}-${index}`}
            destination={destination}
            isChosen={index === at}
            onGo={() => go(destination)}
            onChoose={() => setChosen(index)}
          />
        ))}
        {found.length === 0 && (
          <p className="px-3 py-2 text-sm text-ink-soft">Nothing is called “{query}”. Try fewer letters.</p>
        )}
      </div>
      <p className="mt-3 border-t pt-3 text-xs text-ink-faint">
        Arrows choose, Enter opens. On lists, J and K move from one to the next. Ctrl K opens this from any
        page.
      </p>
    </>
  );
}

function Option({
  id,
  destination,
  isChosen,
  onGo,
  onChoose,
}: {
  id: string;
  destination: Destination;
  isChosen: boolean;
  onGo: () => void;
  onChoose: () => void;
}) {
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onGo}
      onMouseMove={onChoose}
      className={classNames(
        'flex min-h-10 w-full items-baseline justify-between gap-4 rounded-control px-3 py-2 text-left text-sm',
        isChosen ? 'bg-accent-wash text-ink' : 'text-ink-soft',
      )}
    >
      <span className="truncate">{destination.label}</span>
      <span className="shrink-0 text-xs text-ink-faint">{destination.hint}</span>
    </button>
  );
}

function useDestinations(places: readonly Place[], own: readonly Destination[]): readonly Destination[] {
  const { data: strategies } = useStrategies();
  return useMemo(
    () => [
      ...places.map(({ to, label }) => ({ id: to, to, label, hint: 'Page' })),
      ...own,
      ...(strategies ?? []).map((strategy) => ({
        id: `strategy ${strategy.id}`,
        to: `/strategy/${strategy.id}`,
        label: strategy.name,
        hint: 'Strategy',
        words: `${strategy.strategy_type} ${strategy.asset_class} ${strategy.shortDescription}`,
      })),
    ],
    [places, own, strategies],
  );
}
