import { BrokersTab } from './brokers-tab.tsx';
import { NotificationsTab } from './notifications-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { Tabs } from '../../kit/control/tabs.tsx';
import { YourData } from '../../leaving/your-data.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';

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
  { value: 'data', label: 'Your data', content: <YourData /> },
] as const;
