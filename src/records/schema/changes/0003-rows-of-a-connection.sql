-- Each look at a broker reads the deployments of its connection, and the connections of its account. A database that was made between
-- two changes has them already.
create index if not exists deployments_of_connection on deployments (broker_connection_id);
create index if not exists broker_connections_of_account on broker_connections (account_id);
