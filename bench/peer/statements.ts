/** Statements: the SQL of each request of the peer. */

/** Looks a person up by e-mail address. The entry of the audit log is in the same transaction. */
export const lookUp = `
  with found as (
    select p.id, p.uuid, p.facts from identities i join people p on p.id = i.person
    where i.kind = 2 and i.value = lower($1)
  ), logged as (
    insert into audit (client, action, person) select $2, 'profile.read', id from found
  )
  select uuid, facts from found`;

/** Stores one record. */
export const storePerson = 'select * from store_person($1, lower($2), $3, $4)';

/** The id of a segment, by type and name. */
export const findSegment = 'select id from segments where type = $1 and name = $2';

/** A page of the members of a segment, after a person. */
export const page = `
  with logged as (insert into audit (client, action, segment) values ($4, 'segment.read', $1))
  select p.id, p.uuid, p.facts from memberships m join people p on p.id = m.person
  where m.segment = $1 and m.person > $2 order by m.person limit $3`;

/** The number of members of a segment. */
export const countSegment = 'select count(*)::integer as count from memberships where segment = $1';

/** The number of members of one segment who are not in another. */
export const countWithout = `
  select count(*)::integer as count from memberships m where m.segment = $1
  and not exists (select from memberships o where o.segment = $2 and o.person = m.person)`;

/** Freezes a segment: its members are copied. */
export const freeze = `
  with moment as (insert into moments (segment) values ($1) returning id), copied as (
    insert into moment_members (moment, person)
    select moment.id, m.person from moment, memberships m where m.segment = $1 order by m.person returning 1
  )
  select moment.id, (select count(*)::integer from copied) as count from moment`;

/** The columns of an export, with the same values on both sides. */
export const EXPORTED = [
  ...[
    'unique_id',
    'email',
    'first_name',
    'last_name',
    'birthday',
    'gender',
    'street',
    'city',
    'state',
    'zipcode',
  ],
  'has_children',
] as const;

/** Writes everyone as CSV. */
export const exportEveryone = `copy (select ${EXPORTED.map(
  (name) => `facts -> '${name}' ->> 0 as ${name}`,
).join(', ')} from people order by id) to stdout with (format csv, header)`;
