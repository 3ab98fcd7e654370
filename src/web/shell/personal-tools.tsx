import type { User } from '#contract/identity.ts';
import { useLiveStream } from '../live/use-live-stream.ts';
import { NotificationBell } from '../notifications/notification-bell.tsx';
import { ICON_BUTTON } from './icon-button.ts';
import { UserMenu } from './user-menu.tsx';

/** What is in the header for whoever is signed in; while it is there, the live stream is heard. */
export function PersonalTools({ user }: { user: User }) {
  useLiveStream();
  return (
    <>
      <NotificationBell triggerClassName={ICON_BUTTON} />
      <UserMenu user={user} />
    </>
  );
}
