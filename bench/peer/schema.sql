-- The peer: people, their identities and segments, as tables of PostgreSQL. Foreign keys are left out: they would make each
-- load slower, and the functions below are the only writers.

create sequence person_ids as integer;

create table people (
  id integer primary key,
  uuid uuid not null unique default gen_random_uuid(),
  -- By attribute: [value, trust, time]. Trust 1 is the strongest.
  facts jsonb not null,
  -- By tag: [trust, time].
  tags jsonb not null,
  updated_at timestamptz not null default now()
);

-- Kind 1 is a unique_id, kind 2 an e-mail address.
create table identities (
  kind smallint not null,
  value text not null,
  person integer not null,
  primary key (kind, value)
);
create index identities_of_person on identities (person);

create table segments (
  id integer generated always as identity primary key,
  type text not null,
  name text not null,
  unique (type, name)
);

create table memberships (
  segment integer not null,
  person integer not null,
  primary key (segment, person)
);
create index memberships_of_person on memberships (person);

create table moments (
  id integer generated always as identity primary key,
  segment integer not null,
  taken_at timestamptz not null default now()
);

create table moment_members (
  moment integer not null,
  person integer not null,
  primary key (moment, person)
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  client text not null,
  action text not null,
  person integer,
  segment integer
);

create table import_jobs (
  id integer generated always as identity primary key,
  created_at timestamptz not null default now()
);

create table import_errors (
  job integer not null,
  row_number integer not null,
  code text not null,
  primary key (job, row_number)
);

-- A value with its trust and time, or nothing for an empty text.
create function fact(value text, trust integer, at bigint) returns jsonb language sql stable as $$
  select case when value <> '' then jsonb_build_array(value, trust, at) end
$$;

-- Old and new facts: of each attribute the more trusted one, of equal trust the later one.
create function merge_facts(old jsonb, new jsonb) returns jsonb language plpgsql immutable as $$
begin
  return old || coalesce(jsonb_object_agg(n.key, n.value), '{}')
  from jsonb_each(new) n
  where not old ? n.key
    or (n.value -> 1)::integer < (old -> n.key -> 1)::integer
    or ((n.value -> 1)::integer = (old -> n.key -> 1)::integer
      and (n.value -> 2)::bigint >= (old -> n.key -> 2)::bigint);
end
$$;

-- Joins the facts of several rows about one person, in the order of the rows.
create aggregate joined_facts(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');

-- The segments of a person, derived from the values.
create function segments_of(facts jsonb, tags jsonb) returns table (type text, name text)
language sql stable as $$
  select 'tag', t from jsonb_object_keys(tags) t
  union all
  select v.type, v.name from (values
    ('source', facts -> 'source' ->> 0),
    ('demographic', 'Gender: ' || (facts -> 'gender' ->> 0)),
    ('demographic', 'Children: ' || (facts -> 'has_children' ->> 0)),
    ('demographic', 'Age: ' || case when facts ? 'birthday' then
      width_bucket(extract(year from age((facts -> 'birthday' ->> 0)::date))::integer,
        array[18, 25, 35, 45, 55, 65])::text end),
    ('location', facts -> 'country' ->> 0),
    ('location', concat_ws(', ', facts -> 'state' ->> 0, facts -> 'country' ->> 0)),
    ('location', concat_ws(', ', facts -> 'city' ->> 0, facts -> 'state' ->> 0, facts -> 'country' ->> 0))
  ) v (type, name)
  where v.name <> ''
$$;
