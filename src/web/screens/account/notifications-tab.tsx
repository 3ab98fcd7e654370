import { useState } from 'react';
import {
  type NotificationPreferences,
  PREFERENCE_LABELS,
  type PreferenceLabel,
} from '#rules/notifications/preferences.ts';
import { useHasProvider } from '../../call/installation.ts';
import { useUser } from '../../call/session.tsx';
import { Checkbox } from '../../kit/control/checkbox.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import {
  type Toggle,
  usePreferencesQuery,
  useTogglePreference,
} from '../../notifications/preference-queries.ts';
import { Webhooks } from '../../webhooks/webhooks.tsx';

const CHANNELS = ['email', 'push'] as const;

/** Each switch is saved as it is pressed. */
export function NotificationsTab() {
  const { email } = useUser();
  const preferences = usePreferencesQuery();
  const toggle = useTogglePreference();
  // A switch stays where it was pressed to, also before the cache says so.
  const [pressed, setPressed] = useState<Toggle | null>(null);
  const press = (next: Toggle) => {
    setPressed(next);
    toggle.mutate(next, { onSettled: () => setPressed(null) });
  };
  if (preferences.isPending) return <Skeleton className="h-72" />;
  if (preferences.data === undefined) {
    return (
      <ErrorState
        title="Your notification preferences could not be loaded"
        onRetry={() => void preferences.refetch()}
      />
    );
  }
  const notes = {
    email: `Sent to ${email}.`,
    push: 'Shown in the corner of the page while you are on the site.',
  };
  const titles = { email: 'By e-mail', push: 'On the site' };
  return (
    <div className="grid max-w-xl gap-8">
      {toggle.isError && <Notice tone="failure">Failed to save notification preferences</Notice>}
      {CHANNELS.map((channel) => (
        <section key={channel} className="grid gap-4">
          <SectionTitle note={notes[channel]}>{titles[channel]}</SectionTitle>
          <Switches
            channel={channel}
            values={
              pressed?.channel === channel
                ? { ...preferences.data[channel], [pressed.name]: pressed.on }
                : preferences.data[channel]
            }
            onToggle={(name, on) => press({ channel, name, on })}
          />
        </section>
      ))}
      <Webhooks />
      <p className="text-sm text-ink-faint">The bell in the header always lists every notification.</p>
    </div>
  );
}

function Switches({
  channel,
  values,
  onToggle,
}: {
  channel: keyof NotificationPreferences;
  values: Readonly<Record<string, boolean>>;
  onToggle: (name: string, on: boolean) => void;
}) {
  const hasProvider = useHasProvider();
  const switches: readonly [string, PreferenceLabel][] = Object.entries(PREFERENCE_LABELS[channel]);
  return switches.map(([name, { label, hint, hintOfOwn }]) => (
    <Checkbox
      key={name}
      label={label}
      hint={hasProvider ? hint : (hintOfOwn ?? hint)}
      checked={values[name] ?? false}
      onChange={(event) => onToggle(name, event.target.checked)}
    />
  ));
}
