import { Bell } from 'lucide-react';
import type { Notification } from '#contract/notifications.ts';
import { Link } from '../kit/control/link.tsx';
import { Button } from '../kit/control/button.tsx';
import { classNames } from '../kit/class-names.ts';
import { type NoticeEntry, noticeEntries } from '#rules/notifications/notice-entries.ts';
import { Popover } from '../kit/overlay/popover.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { useMarkRead, useNotifications } from './notification-queries.ts';
import { usePreferences } from './preference-queries.ts';
import { useNotificationToasts } from './use-notification-toasts.ts';

/** Specification section 9: the unread badge caps at 9+. */
const BADGE_MAX = 9;

export function NotificationBell({ triggerClassName }: { triggerClassName: string }) {
  // Both are read here: a query draws its reader again for those fields alone that a drawing has read, and the panel is
  // drawn only when it opens.
  const { data, isError } = useNotifications();
  const entries = noticeEntries(data ?? []);
  const unread = entries.filter(isUnread).length;
  const badge = unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread);
  const { push } = usePreferences();
  useNotificationToasts(data, push);
  return (
    <Popover
      label={unread > 0 ? `Notifications, ${badge} unread` : 'Notifications'}
      panelLabel="Notifications"
      width="w-96"
      triggerClassName={triggerClassName}
      trigger={
        <>
          <Bell className="size-5" aria-hidden="true" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="figures absolute top-0.5 right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent-fill px-1 text-[0.625rem] font-semibold text-on-accent"
            >
              {badge}
            </span>
          )}
        </>
      }
    >
      {(close) => (
        <Panel
          entries={entries}
          unread={unread}
          known={data !== undefined}
          failed={data === undefined && isError}
          close={close}
        />
      )}
    </Popover>
  );
}

type Entry = NoticeEntry<Notification>;

const isUnread = ({ notices }: Entry) => notices.some(({ read }) => !read);

function Panel({
  entries,
  unread,
  known,
  failed,
  close,
}: {
  entries: readonly Entry[];
  unread: number;
  /** Whether the list has been read: a list that failed is not an empty one. */
  known: boolean;
  failed: boolean;
  close: () => void;
}) {
  const markRead = useMarkRead();
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b px-4 py-3">
        <p className="font-medium">
          Notifications
          {unread > 0 && (
            <span className="figures ml-2 text-sm font-normal text-ink-faint">{unread} new</span>
          )}
        </p>
        {unread > 0 && (
          <Button variant="quiet" size="small" onClick={() => markRead.mutate(undefined)}>
            Mark all as read
          </Button>
        )}
      </div>
      {entries.length === 0 ? (
        <p className="px-4 py-10 text-center text-sm text-ink-soft">
          {failed
            ? 'Notifications could not be loaded. We retry automatically.'
            : known
              ? 'No notifications'
              : 'Loading notifications...'}
        </p>
      ) : (
        <ul className="max-h-[60dvh] overflow-y-auto">
          {entries.map((entry) => (
            <Item
              key={entry.notices.at(-1)!.id}
              entry={entry}
              close={close}
              onRead={() => {
                for (const { id, read } of entry.notices) if (!read) markRead.mutate(id);
              }}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ entry, close, onRead }: { entry: Entry; close: () => void; onRead: () => void }) {
  const { title, notices } = entry;
  const { created_at, kind, deployment, decision } = notices[0]!;
  const read = !isUnread(entry);
  const address =
    deployment !== null
      ? `/deployed-strategies/${deployment}${decision === null ? '' : '?tab=timeline'}`
      : kind === 'key_asks'
        ? '/account?tab=security#api-keys'
        : null;
  return (
    <li className={classNames('border-b px-4 py-3 text-sm last:border-0', !read && 'bg-accent-wash/40')}>
      <p className={classNames(!read && 'font-medium')}>
        {address !== null ? (
          <Link
            to={address}
            className="rounded-control hover:text-accent"
            onClick={() => {
              if (!read) onRead();
              close();
            }}
          >
            {title}
          </Link>
        ) : (
          title
        )}
      </p>
      {notices.map(({ id, message }) => (
        <p key={id} className="mt-0.5 text-ink-soft">
          {message}
        </p>
      ))}
      <div className="mt-1.5 flex items-center justify-between gap-4 text-xs text-ink-faint">
        <time dateTime={created_at} className="figures">
          {showDateTime(created_at)}
        </time>
        {!read && (
          <button type="button" onClick={onRead} className="rounded-control text-accent hover:underline">
            Mark as read
          </button>
        )}
      </div>
    </li>
  );
}
