import { Badge } from '../kit/state/badge.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showDate, showWord } from '../kit/figure/show-figure.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { useDrafts } from './builder-queries.ts';
import { draftAddress } from './draft-address.ts';

/** What the person has built before. Nothing is shown while there is nothing. */
export function DraftList() {
  const drafts = useDrafts();
  if (drafts.isError) {
    return (
      <Notice tone="failure">
        Your drafts could not be loaded. Nothing is lost; please try again shortly.
      </Notice>
    );
  }
  if (!drafts.data || drafts.data.length === 0) return null;
  return (
    <section aria-labelledby="drafts">
      <SectionTitle id="drafts" note="Private: only you can see them.">
        Your drafts
      </SectionTitle>
      <ul className="mt-4 border-t">
        {drafts.data.map((draft) => (
          <li key={draft.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b py-3">
            <TextLink to={draftAddress(draft.id)}>{draft.name}</TextLink>
            <Badge>{showWord(draft.asset_class)}</Badge>
            {draft.is_traded && <Badge>Deployed</Badge>}
            <span className="figures ml-auto text-sm text-ink-faint">
              Version {draft.version}, {showDate(draft.created_at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
