#!/usr/bin/env bash
# Runs once, when the database is made: its owner, and the user of the product, who owns nothing.
set -euo pipefail
psql --username=postgres --set=ON_ERROR_STOP=1 \
  --set=owner_password="$OWNER_PASSWORD" --set=product_password="$BELLWETHER_PASSWORD" <<'SQL'
create role bellwether_owner login password :'owner_password';
create database bellwether owner bellwether_owner;
create role bellwether_product nologin;
create role bellwether_api nologin;
create role bellwether login password :'product_password' in role bellwether_product, bellwether_api;
SQL
