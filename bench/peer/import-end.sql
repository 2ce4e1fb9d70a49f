-- Merges the staged rows into the people, set by set.
analyze staging (row_number, visitor, email);
insert into import_jobs default values;

insert into import_errors (job, row_number, code)
select currval(pg_get_serial_sequence('import_jobs', 'id')), row_number, 'not_an_email'
from staging where btrim(email) !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$';

-- The person whom the identities of a row lead to: first by unique_id, then by e-mail address, unless the owner of the
-- address has another unique_id.
create temp table known on commit drop as
select r.row_number, r.visitor, r.email,
  coalesce(u.person, case when o.person is null or r.visitor = '' then e.person end) as person
from (
  select row_number, coalesce(btrim(visitor), '') as visitor, lower(btrim(email)) as email
  from staging where btrim(email) ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'
) r
left join identities u on u.kind = 1 and u.value = r.visitor
left join identities e on e.kind = 2 and e.value = r.email
left join identities o on o.kind = 1 and o.person = e.person;

-- New people, in the order of the file.
create temp table fresh on commit drop as
select key, nextval('person_ids')::integer as person from (
  select coalesce(nullif(visitor, ''), email) as key, min(row_number) as first_row
  from known where person is null group by 1 order by first_row
) k;
analyze known, fresh;

create temp table records on commit drop as
select k.row_number, k.visitor, k.email, coalesce(k.person, f.person) as person, k.person is null as is_new,
  jsonb_strip_nulls(jsonb_build_object(
    'first_name', fact(s.first_name, 1, t.now), 'last_name', fact(s.last_name, 1, t.now),
    'birthday', fact(s.birthday, 1, t.now), 'gender', fact(s.gender, 1, t.now),
    'street', fact(s.street, 1, t.now), 'city', fact(s.city, 1, t.now), 'state', fact(s.state, 1, t.now),
    'zipcode', fact(s.zipcode, 1, t.now), 'country', fact(s.country, 1, t.now),
    'has_children', fact(s.has_children, 1, t.now), 'source', fact(s.source, 1, t.now),
    'notes', fact(s.notes, 1, t.now), 'unique_id', fact(k.visitor, 1, t.now), 'email', fact(k.email, 1, t.now)
  )) as facts,
  (select coalesce(jsonb_object_agg(btrim(tag), jsonb_build_array(1, t.now)) filter (where btrim(tag) <> ''), '{}')
    from unnest(string_to_array(s.tags, ';')) tag) as tags
from known k
join staging s using (row_number)
left join fresh f on k.person is null and f.key = coalesce(nullif(k.visitor, ''), k.email),
(select (extract(epoch from now()) * 1000)::bigint as now) t;
analyze records (row_number, person, is_new);

insert into people as p (id, facts, tags)
select person, joined_facts(facts order by row_number), joined_facts(tags order by row_number)
from records group by person order by person
on conflict (id) do update set
  facts = merge_facts(p.facts, excluded.facts), tags = p.tags || excluded.tags, updated_at = now();

insert into identities (kind, value, person)
select kind, value, person from (
  select 1 as kind, visitor as value, person, row_number from records where visitor <> ''
  union all
  select 2, email, person, row_number from records
) i order by kind, value, row_number
on conflict do nothing;

create temp table wanted on commit drop as
select p.id as person, w.is_new, s.type, s.name
from (select person, bool_and(is_new) as is_new from records group by person) w
join people p on p.id = w.person, segments_of(p.facts, p.tags) s;
analyze wanted;

insert into segments (type, name) select distinct type, name from wanted w
where not exists (select from segments o where o.type = w.type and o.name = w.name)
on conflict do nothing;

delete from memberships m using (select distinct person from wanted where not is_new) k
where m.person = k.person and not exists (
  select from wanted w join segments s on s.type = w.type and s.name = w.name
  where w.person = m.person and s.id = m.segment);

insert into memberships (segment, person)
select s.id, w.person from wanted w join segments s on s.type = w.type and s.name = w.name
order by s.id, w.person
on conflict do nothing;

insert into audit (client, action) values ('peer', 'import');

select json_build_object('stored', (select count(*) from records),
  'refused', (select count(*) from import_errors where job = currval(pg_get_serial_sequence('import_jobs', 'id'))));
