import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ComponentType,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { User } from '#contract/identity.ts';
import type { PasskeyProof } from '#contract/passkeys.ts';
import { call } from './call.ts';
import { CallError } from './call-error.ts';
import { forgetPerson, forgetWithOtherWindows } from './forget-person.ts';
import { leaveNews } from './leave-news.ts';
import { clearTokens, keepTokens, sessionNumber, watchTokens } from './tokens.ts';

export type Credentials = {
  email: string;
  password: string;
  remember: boolean;
  /** Of the second factor, where there is one. */
  code?: string;
  passkey?: PasskeyProof;
};
type Registration = { name: string; email: string; password: string };

type Session = {
  /** The signed-in person, or null for a visitor. */
  user: User | null;
  signIn: (credentials: Credentials) => Promise<void>;
  /** Creates the account, then signs in with the same e-mail and password (specification section 4). */
  register: (registration: Registration) => Promise<void>;
  signOut: () => Promise<void>;
  /** Reads the user again after a change to their account. */
  reloadUser: () => Promise<void>;
};

export type Unanswered = { onRetry: () => void; busy: boolean };

/** How long signing out waits for the service. */
const GOODBYE_MS = 4_000;

export const USER_KEY = ['user'] as const;

const SessionContext = createContext<Session | null>(null);

/** Holds who is signed in. Nothing below renders until a stored token has been checked (specification section 4). */
export function SessionProvider({
  children,
  unanswered: Unanswered,
}: {
  children: ReactNode;
  /** Shown while the service does not say who a stored token belongs to. */
  unanswered: ComponentType<Unanswered>;
}) {
  const cache = useQueryClient();
  const hasToken = useSyncExternalStore(watchTokens, sessionNumber, () => null) !== null;
  // The next user, here or in another window, sees nothing of the previous one.
  useEffect(() => watchTokens((isEnd) => isEnd && cache.clear()), [cache]);
  useEffect(() => forgetWithOtherWindows(), []);
  const me = useQuery({
    queryKey: USER_KEY,
    queryFn: ({ signal }) => call('getMe', { signal }),
    enabled: hasToken,
  });
  const user = hasToken ? (me.data ?? null) : null;

  const session = useMemo<Session>(() => {
    const signIn = async (credentials: Credentials) => {
      const answer = await call('login', { body: credentials });
      cache.clear();
      cache.setQueryData(USER_KEY, answer.user);
      keepTokens({ access: answer.token, refresh: answer.refreshToken });
    };
    return {
      user,
      signIn,
      register: async ({ name, email, password }) => {
        await call('register', {
          body: { email, username: email, password, confirm_password: password, first_name: name },
        });
        await signIn({ email, password, remember: false });
      },
      signOut: async () => {
        // The tokens are deleted soon, even if the service cannot be reached.
        const loggedOut = leaveNews()
          .then(() => call('logout'))
          .catch((error: unknown) => {
            if (!(error instanceof CallError)) throw error;
          });
        await Promise.race([loggedOut, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS))]);
        clearTokens();
        forgetPerson();
      },
      reloadUser: async () => {
        await cache.invalidateQueries({ queryKey: USER_KEY });
        // The cache notifies the page in a separate task: code after this one finds the page up to date.
        await new Promise((resolve) => setTimeout(resolve));
      },
    };
  }, [user, cache]);

  if (hasToken && user === null) {
    return me.isError ? <Unanswered onRetry={() => void me.refetch()} busy={me.isFetching} /> : null;
  }
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession outside of SessionProvider');
  return session;
}

/** The signed-in person, on pages that only they reach. */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error('useUser without a signed-in person');
  return user;
}
