// Which part of a draft is open. It lies in the address, so that it can be linked to and left by the back button.
import { useSearchParams } from '../../kit/page/use-search-params.ts';

export const DRAFT_TABS = ['rules', 'evidence', 'sweep', 'attack', 'deploy', 'versions', 'words'] as const;
export type DraftTab = (typeof DRAFT_TABS)[number];

/** 'in sight' scrolls to it: for links from further up. */
export type OpenTab = (tab: DraftTab, scroll?: 'in sight') => void;

export const TABS_ID = 'draft-tabs';

export function useDraftTab(): [DraftTab, OpenTab] {
  const [params, setParams] = useSearchParams();
  const asked = params.get('tab');
  const tab = DRAFT_TABS.find((one) => one === asked) ?? 'rules';
  return [
    tab,
    (next, scroll) => {
      setParams((present) => new URLSearchParams({ ...Object.fromEntries(present), tab: next }));
      if (scroll) document.getElementById(TABS_ID)?.scrollIntoView({ block: 'start' });
    },
  ];
}
