import { BrokersTab } from '../account/brokers-tab.tsx';
import { NotificationsTab } from '../account/notifications-tab.tsx';
import { ProfileTab } from '../account/profile-tab.tsx';
import { SecurityTab } from '../account/security-tab.tsx';
import { PageTitle } from '../kit/page-title.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { usePageTitle } from '../kit/use-page-title.ts';
import { useSearchParams } from '../kit/use-search-params.ts';

export function Account() {
  usePageTitle('Account Settings');
  const [query, setQuery] = useSearchParams();
  const asked = query.get('tab') ?? 'profile';
  const tab = TABS.some(({ value }) => value === asked) ? asked : 'profile';
  return (
    <div className="grid gap-8">
      <PageTitle>Account Settings</PageTitle>
      <Tabs
        label="Account"
        value={tab}
        onChange={(value) => setQuery(value === 'profile' ? {} : { tab: value }, { replace: true })}
        tabs={TABS}
      />
    </div>
  );
}

const TABS = [
  { value: 'profile', label: 'Profile', content: <ProfileTab /> },
  { value: 'brokers', label: 'Brokers', content: <BrokersTab /> },
  { value: 'security', label: 'Security', content: <SecurityTab /> },
  { value: 'notifications', label: 'Notifications', content: <NotificationsTab /> },
] as const;
