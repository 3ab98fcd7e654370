import { useEffect } from 'react';

/** Names the browser's tab: 'Marketplace · Bellwether'. Without a title only the product's name stands. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Bellwether` : 'Bellwether';
  }, [title]);
}
