/** SQL of a deployment d of a strategy s: what notices and mails call it. Practice is never taken for real money. */
export const NAME_IN_NOTICES = `case when d.mode = 'practice' then s.name || ' (practice)' else s.name end`;
