-- Each look asks whether an order for an instrument was ever sent for its account, and what the account has ever traded. Neither may
-- grow with all orders of everybody.
create index if not exists orders_sent on orders (broker_connection_id, symbol) where sent_at is not null;
create index if not exists fills_of_account on fills (account_id, symbol);
