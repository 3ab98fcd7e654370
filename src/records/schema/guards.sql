-- Functions for the triggers of several files. Units and clocks in all files of this folder: money is bigint micro-units of
-- US dollars unless its comment names another currency, quantities and prices are numeric in natural units, and each
-- instant not of the real clock says so.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
