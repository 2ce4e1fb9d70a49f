-- One transaction of psql: this file, then COPY of the file into `staging`, then import-end.sql.
create temp table staging (
  row_number integer generated always as identity,
  visitor text, email text, first_name text, last_name text, birthday text, gender text, street text, city text,
  state text, zipcode text, country text, has_children text, tags text, source text, notes text
) on commit drop;

-- Imports and single records take turns as writers; readers do not wait.
lock table identities in share row exclusive mode;
