import type { User } from '#contract/identity.ts';
import { ConfirmIdentity } from '../identity/confirm-identity.tsx';
import { useLiveStream } from '../live/use-live-stream.ts';
import { NotificationBell } from '../notifications/notification-bell.tsx';
import { ICON_BUTTON } from '../kit/control/icon-button.ts';
import { usePreferences } from '../notifications/preference-queries.ts';
import { UserMenu } from './layout/user-menu.tsx';
import { useMarketDayToasts } from './use-market-day-toasts.ts';

/** The header's part for a signed-in user; while it is mounted, the app follows the live stream. */
export function PersonalTools({ user }: { user: User }) {
  useLiveStream();
  useMarketDayToasts(usePreferences().push.marketUpdates);
  return (
    <>
      <NotificationBell triggerClassName={ICON_BUTTON} />
      <UserMenu user={user} />
      <ConfirmIdentity />
    </>
  );
}
