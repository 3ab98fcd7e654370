import type { identityEndpoints } from '#contract/identity.ts';
import type { RateLimits } from '../http/dependencies.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { changeMe } from './change-me.ts';
import { makeChangePassword } from './password/change-password.ts';
import { confirmPasswordReset } from './password/confirm-password-reset.ts';
import { getMe } from './get-me.ts';
import { makeLogin } from './login.ts';
import { logout } from './logout.ts';
import { refreshSession } from './session/refresh-session.ts';
import { requestPasswordReset } from './password/request-password-reset.ts';
import { register } from './register.ts';

export function identityCalls(limits: RateLimits): RoomCalls<typeof identityEndpoints> {
  return {
    register,
    login: makeLogin(limits.wrongPasswordsPerMinute),
    refreshToken: refreshSession,
    logout,
    getMe,
    changeMe,
    changePassword: makeChangePassword(limits.wrongPasswordsPerMinute),
    requestPasswordReset,
    confirmPasswordReset,
  };
}
