import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';

type Changed =
  | URLSearchParams
  | Readonly<Record<string, string>>
  | ((present: URLSearchParams) => URLSearchParams);

/** The query string and a way to change it. Lighter than the router's own; see link.tsx. */
export function useSearchParams(): [
  URLSearchParams,
  (changed: Changed, options?: { readonly replace?: boolean }) => void,
] {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (changed: Changed, { replace = false }: { readonly replace?: boolean } = {}) => {
      const next = typeof changed === 'function' ? changed(params) : new URLSearchParams(changed);
      void navigate(`?${next}`, { replace, state: state as unknown });
    },
    [params, navigate, state],
  );
  return [params, change];
}
