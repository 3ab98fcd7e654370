import { useState } from 'react';
import { BrokersTab } from '../account/brokers-tab.tsx';
import { ProfileTab } from '../account/profile-tab.tsx';
import { SecurityTab } from '../account/security-tab.tsx';
import { PageTitle } from '../kit/page-title.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { usePageTitle } from '../kit/use-page-title.ts';

export function Account() {
  usePageTitle('Account Settings');
  const [tab, setTab] = useState('profile');
  return (
    <div className="grid gap-8">
      <PageTitle>Account Settings</PageTitle>
      <Tabs
        label="Account"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'profile', label: 'Profile', content: <ProfileTab /> },
          { value: 'brokers', label: 'Brokers', content: <BrokersTab /> },
          { value: 'security', label: 'Security', content: <SecurityTab /> },
        ]}
      />
    </div>
  );
}
