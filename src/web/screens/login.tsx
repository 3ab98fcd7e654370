import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { Tabs } from '../kit/control/tabs.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { useSession } from '../call/session.tsx';
import { SignInForm } from '../identity/sign-in-form.tsx';
import { RegisterForm } from '../identity/register-form.tsx';
import { startOf } from '../identity/start-of.ts';

export function Login() {
  usePageTitle('Sign In');
  const { user } = useSession();
  const { state } = useLocation();
  const [tab, setTab] = useState('sign-in');
  const asked: unknown = state?.redirectTo;
  const redirectTo = typeof asked === 'string' && /^\/(?!\/)/.test(asked) ? asked : null;
  if (user && state?.signedOut !== true) return <Navigate to={redirectTo ?? startOf(user)} replace />;
  return (
    <div className="mx-auto max-w-md">
      <h1 className="font-serif text-2xl">{tab === 'sign-in' ? 'Welcome back' : 'Open an account'}</h1>
      <p className="mt-2 mb-6 text-ink-soft">
        {tab === 'sign-in'
          ? 'Sign in to see how your strategies are doing.'
          : 'An account is free. You decide later whether and how much to invest.'}
      </p>
      <Tabs
        label="Sign in or register"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'sign-in', label: 'Sign In', content: <SignInForm /> },
          { value: 'register', label: 'Register', content: <RegisterForm /> },
        ]}
      />
    </div>
  );
}
