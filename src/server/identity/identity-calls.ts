import type { identityEndpoints } from '#contract/identity.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { changeMe } from './change-me.ts';
import { changePassword } from './password/change-password.ts';
import { confirmPasswordReset } from './password/confirm-password-reset.ts';
import { getMe } from './get-me.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import {
  addPasskey,
  challengePasskey,
  changePasskey,
  listPasskeys,
  preparePasskey,
  removePasskey,
} from './second-factor/passkey-calls.ts';
import {
  confirmIdentity,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  renewBackupCodes,
  setUpSecondFactor,
} from './second-factor/second-factor-calls.ts';
import { endOtherSessions, endSession } from './session/end-sessions.ts';
import { listSessions } from './session/list-sessions.ts';
import { refreshSession } from './session/refresh-session.ts';
import { requestPasswordReset } from './password/request-password-reset.ts';
import { listSecurityEvents } from './security-events.ts';
import { register } from './register.ts';
import { sendVerification, verifyEmail } from './verify-email.ts';

export const identityCalls: RoomCalls<typeof identityEndpoints> = {
  register,
  login,
  refreshToken: refreshSession,
  logout,
  getMe,
  changeMe,
  changePassword,
  requestPasswordReset,
  confirmPasswordReset,
  sendVerification,
  verifyEmail,
  listSessions,
  endSession,
  endOtherSessions,
  listSecurityEvents,
  getSecondFactor,
  setUpSecondFactor,
  enableSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  listPasskeys,
  preparePasskey,
  addPasskey,
  challengePasskey,
  changePasskey,
  removePasskey,
  confirmIdentity,
};
