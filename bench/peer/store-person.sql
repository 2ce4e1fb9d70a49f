-- Stores one record: finds or makes its person, merges the values, and brings the segments up to date.
create function store_person(
  client text, new_email text, new_facts jsonb, new_tags jsonb, out person_uuid uuid, out created boolean
) language plpgsql as $$
declare
  owner integer;
  types text[];
  names text[];
  wanted integer[];
begin
  -- An import holds this lock until it ends: it and single records take turns.
  lock table identities in row exclusive mode;
  select i.person into owner from identities i where i.kind = 2 and i.value = new_email;
  if owner is null then
    -- Of two requests about one new person, the second waits here for the first, and gets its person.
    insert into identities as i (kind, value, person) values (2, new_email, nextval('person_ids'))
    on conflict (kind, value) do update set person = i.person
    returning i.person into owner;
  end if;

  insert into people as p (id, facts, tags) values (owner, new_facts, new_tags)
  on conflict (id) do update set
    facts = merge_facts(p.facts, excluded.facts), tags = p.tags || excluded.tags, updated_at = now()
  returning p.uuid, p.xmax = 0 into person_uuid, created;

  select array_agg(s.type order by s.type, s.name), array_agg(s.name order by s.type, s.name) into types, names
  from people p, segments_of(p.facts, p.tags) s where p.id = owner;
  insert into segments (type, name)
  select w.type, w.name from unnest(types, names) w (type, name)
  where not exists (select from segments o where o.type = w.type and o.name = w.name)
  on conflict do nothing;
  select array_agg(o.id) into wanted
  from unnest(types, names) w (type, name) join segments o on o.type = w.type and o.name = w.name;

  if not created then
    delete from memberships m where m.person = owner and m.segment <> all (wanted);
  end if;
  insert into memberships (segment, person) select w, owner from unnest(wanted) w on conflict do nothing;

  insert into audit (client, action, person) values (client, 'profile.store', owner);
end
$$;
