// The versions of the investment agreement, and how each differs from the one before it, in the words that clients read. Promises that
// nobody signs a new version without being told what is new in it.
import { DAY_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { AGREEMENT_VERSION } from '../provider.ts';

type AgreementVersion = {
  readonly version: string;
  /** Sentences; none for the first. */
  readonly changes: readonly string[];
};

/** Newest first. */
export const AGREEMENT_VERSIONS: readonly AgreementVersion[] = [
  {
    version: AGREEMENT_VERSION,
    changes: [
      'Where a model decides a strategy, the wording says what happens when the model gives no answer in time: nothing is traded or everything is sold, as the strategy names before you deploy it.',
    ],
  },
  {
    version: '2026-11-26',
    changes: [
      'You can add money to a deployment and withdraw some. It stays in your brokerage account, and only what we may trade with changes.',
      'What you withdraw lowers the high-water mark by its amount, no longer in proportion: a loss is recovered whole before any further fee is due.',
    ],
  },
  {
    version: '2026-11-25',
    changes: [
      'The wording that you signed goes on to hold for the deployments that run.',
      'You need the new wording to resume or promote a deployment, as you do to start one.',
      'We may name a day by which you must sign, at least 30 days ahead. After it we open nothing new for you until you sign; what you hold is protected and closed as before.',
    ],
  },
  { version: '2026-11', changes: [] },
];

/** What is new since the version that a person signed last; all of it where that version is not known. */
export function changesSince(signed: string): readonly string[] {
  const place = AGREEMENT_VERSIONS.findIndex(({ version }) => version === signed);
  const newer = place === -1 ? AGREEMENT_VERSIONS : AGREEMENT_VERSIONS.slice(0, place);
  return newer.toReversed().flatMap(({ changes }) => changes);
}

/** From the day on which two people decide to the day by which a version must be signed. */
export const SIGNING_NOTICE_DAYS = 30;
const SIGNING_NOTICE_MAX_DAYS = 365;

export const AGREEMENT_STAGES = ['changed', 'reminded', 'dated', 'soon', 'over'] as const;
export type AgreementStage = (typeof AGREEMENT_STAGES)[number];

const REMINDED_AFTER_DAYS = 14;
const SOON_DAYS = 7;

/** What a person who has not signed the newest version has been told by now. One step is one notice. */
export function agreementStages({
  toldAt,
  signBy,
  now,
}: {
  readonly toldAt: WallInstant;
  readonly signBy: WallInstant | null;
  readonly now: WallInstant;
}): readonly AgreementStage[] {
  const stages: AgreementStage[] = ['changed'];
  if (msBetween(toldAt, now) >= REMINDED_AFTER_DAYS * DAY_MS) stages.push('reminded');
  if (signBy === null) return stages;
  stages.push('dated');
  const left = msBetween(now, signBy);
  if (left <= SOON_DAYS * DAY_MS) stages.push('soon');
  if (left <= 0) stages.push('over');
  return stages;
}

/** Why a day cannot be the one by which everybody signs; null when it can. */
export function signByProblem(signBy: WallInstant, now: WallInstant): string | null {
  const left = msBetween(now, signBy);
  if (left < SIGNING_NOTICE_DAYS * DAY_MS)
    return `Choose a day at least ${SIGNING_NOTICE_DAYS} days ahead: the agreement promises clients that much time.`;
  if (left > SIGNING_NOTICE_MAX_DAYS * DAY_MS) return 'Choose a day within a year.';
  return null;
}
