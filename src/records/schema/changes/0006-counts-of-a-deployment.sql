-- Each mark of a deployment is shown with how often it has traded, and how many of its round trips made and lost money. They are
-- counted from these indexes alone: a long history costs a few pages more.
create index if not exists orders_traded on orders (deployment_id) where filled_quantity > 0;
create index if not exists round_trips_counted on round_trips (deployment_id, pnl_micro) where closed_at is not null;
