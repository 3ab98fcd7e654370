// Who may sign in, and the practice account that each person owns.
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Micro, micro } from '#units/money.ts';
import { atomically } from '../database.ts';

export type Person = { readonly userName: string; readonly accountId: string };

export type People = {
  signIn(userName: string, password: string): Person | null;
  /** A new person with a funded account, or a sentence with the reason for the refusal. */
  open(userName: string, password: string): Person | string;
  find(userName: string): Person | null;
  list(): readonly Person[];
};

/** Every practice account starts with one million dollars. */
const OPENING_CASH: Micro = micro(1_000_000_000_000);

export function openPeople(database: DatabaseSync): People {
  const byName = database.prepare('SELECT * FROM people WHERE user_name = ?');
  const all = database.prepare('SELECT * FROM people ORDER BY account_id');

  const insert = (userName: string, password: string): Person =>
    atomically(database, () => {
      const { count } = database.prepare('SELECT count(*) AS count FROM accounts').get() as { count: number };
      const accountId = `DU${FIRST_ACCOUNT + count}`;
      const salt = randomBytes(16).toString('hex');
      database
        .prepare('INSERT INTO accounts (account_id, title, cash_micro) VALUES (?, ?, ?)')
        .run(accountId, `Practice account of ${userName}`, OPENING_CASH);
      database
        .prepare(
          'INSERT INTO people (user_name, password_salt, password_hash, account_id) VALUES (?, ?, ?, ?)',
        )
        .run(userName, salt, hash(password, salt), accountId);
      return { userName, accountId };
    });

  const people: People = {
    find(userName) {
      const row = byName.get(userName);
      return row ? readPerson(row) : null;
    },
    list: () => all.all().map(readPerson),
    signIn(userName, password) {
      const row = byName.get(normal(userName));
      const expected = Buffer.from(String(row?.password_hash ?? ''), 'hex');
      const given = Buffer.from(hash(password, String(row?.password_salt ?? 'nobody')), 'hex');
      if (!row || expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
      return readPerson(row);
    },
    open(userName, password) {
      const name = normal(userName);
      if (!/^[a-z0-9][a-z0-9._-]{2,31}$/.test(name))
        return 'A user name has 3 to 32 letters, digits, dots, dashes or underscores.';
      if (password.length < 8) return 'A password has at least 8 characters.';
      if (password.length > 200) return 'A password has at most 200 characters.';
      if (byName.get(name)) return 'That user name is taken. Sign in with it, or choose another.';
      return insert(name, password);
    },
  };
  if (!people.find(DEMO.userName)) insert(DEMO.userName, DEMO.password);
  return people;
}

/** Always there, for a first look. */
const DEMO = { userName: 'demo', password: 'demo' } as const;

const FIRST_ACCOUNT = 1_000_001;

function readPerson(row: Record<string, unknown>): Person {
  return { userName: String(row.user_name), accountId: String(row.account_id) };
}

function normal(userName: string): string {
  return userName.trim().toLowerCase();
}

function hash(password: string, salt: string): string {
  return scryptSync(password, salt, 32).toString('hex');
}
