// A process that migrates as an operator's command does: OWNER_URL names the database.
import { migrateAsOwner } from '#records/postgres/migrate.ts';

await migrateAsOwner(process.env.OWNER_URL!);
