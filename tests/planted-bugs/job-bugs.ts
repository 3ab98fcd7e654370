import type { PlantedBug } from './planted-bug.ts';

const RESETS = 'src/server/identity/password/password-reset.test.ts';
const LETTERS = 'src/server/operations/external-trades.test.ts';

/** What a worker does in its own time. */
export const JOB_BUGS: readonly PlantedBug[] = [
  {
    name: 'a mail whose worker died is never sent',
    file: 'src/records/notifications/mails.ts',
    from: "if (mail.status === 'sending') {",
    to: "if (mail.status === 'failed') {",
    suites: [RESETS],
  },
  {
    name: 'a mail that was refused for now is never tried again',
    file: 'src/server/mail/deliver-mail.ts',
    from: 'if (mayPass && !isLast) {',
    to: 'if (!mayPass && !isLast) {',
    suites: [RESETS],
  },
  {
    name: 'each notice goes as a mail of its own',
    file: 'src/records/notifications/mails.ts',
    from: 'const NOTICES_MAX = 50;',
    to: 'const NOTICES_MAX = 1;',
    suites: ['src/server/notifications/notifications.test.ts'],
  },
  {
    name: 'what failed for good is sent again without a decision',
    file: 'src/records/jobs/send-jobs.ts',
    from: 'jobs.filter(({ key }) => !held.has(key)),',
    to: 'jobs,',
    suites: ['src/processes/roles/run-worker.test.ts'],
  },
  {
    name: 'a retried mail stays failed',
    file: 'src/records/jobs/dead-letters.ts',
    from: 'if (mailId !== undefined) await requeueMail(trx, mailId);',
    to: '',
    suites: [LETTERS],
  },
  {
    name: 'a backtest that is begun again counts its trials again',
    file: 'src/results/sweep-draft.ts',
    from: 'run: { jobId: asked.jobId, number: set }',
    to: 'run: { jobId: crypto.randomUUID() as typeof asked.jobId, number: set }',
    suites: ['src/processes/roles/run-worker.test.ts'],
  },
];
