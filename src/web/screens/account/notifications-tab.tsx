import { useState } from 'react';
import type { Choice } from '#rules/notifications/choices.ts';
import { useUser } from '../../call/session.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { NewsOutside } from '../../news/news-outside.tsx';
import { NewsTable } from '../../notifications/news-table.tsx';
import { useChoices, useChoose } from '../../notifications/preference-queries.ts';
import { Webhooks } from '../../webhooks/webhooks.tsx';

/** Each choice is saved as it is pressed. */
export function NotificationsTab() {
  const { email } = useUser();
  const choices = useChoices();
  const choose = useChoose();
  // A choice stays where it was pressed to, also before the cache says so.
  const [pressed, setPressed] = useState<Choice | null>(null);
  const press = (next: Choice) => {
    setPressed(next);
    choose.mutate(next, { onSettled: () => setPressed(null) });
  };
  if (choices.isPending) return <Skeleton className="h-72" />;
  if (choices.data === undefined) {
    return (
      <ErrorState
        title="Your notification preferences could not be loaded"
        onRetry={() => void choices.refetch()}
      />
    );
  }
  const shown =
    pressed === null
      ? choices.data
      : {
          ...choices.data,
          [pressed.news]: { ...choices.data[pressed.news], [pressed.channel]: pressed.isOn },
        };
  return (
    <div className="grid max-w-3xl gap-10">
      {choose.isError && <Notice tone="failure">Failed to save notification preferences</Notice>}
      <section className="grid gap-4" aria-labelledby="news">
        <SectionTitle
          id="news"
          note={`Mails go to ${email}. On the site means in the corner of the page; the bell in the header always lists everything.`}
        >
          Which news, and where
        </SectionTitle>
        <NewsTable choices={shown} onChoose={press} />
      </section>
      <NewsOutside />
      <Webhooks />
    </div>
  );
}
