import { useEffect } from 'react';

/** Names the browser's tab: 'Marketplace · Bellwether'. Without a title it shows only the product's name. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Bellwether` : 'Bellwether';
  }, [title]);
}
