import * as v from 'valibot';
import { described } from '../http/described.ts';
import { listQuery, paging } from '../http/list-schemas.ts';
import { objectionEntries, shownObjection } from './objections.ts';
import { identityNames, oneOf } from './schemas.ts';

const names = v.strictObject({ ...identityNames, scope: objectionEntries.scope });

/** Body of `POST objections`: one identity and what its owner objects to. */
export const objectionBody = v.pipe(
  names,
  oneOf<v.InferOutput<typeof names>>(['email', 'unique_id', 'social_id']),
);
export type ObjectionBody = v.InferOutput<typeof objectionBody>;

/** Answer of `POST objections`. */
export const objectionAnswer = v.strictObject({
  ...objectionEntries,
  profile_uuid: described(
    'The person who has the identity now. Null if nobody has. An objection to storage removes nobody: forget the person.',
    v.nullable(v.pipe(v.string(), v.uuid())),
  ),
});

/** Answer of `DELETE objections/{objection}`. */
export const endedObjectionAnswer = v.strictObject({ id: objectionEntries.id });

/** A page of objections. */
export const objectionsAnswer = v.strictObject({
  objections: described('The objections of this page, in the order of their ids.', v.array(shownObjection)),
  paging,
});

/** Query of `GET objections`: a page of the list, or one identity. */
export const objectionsQuery = v.strictObject(
  { ...listQuery.entries, ...identityNames },
  'There is no such parameter.',
);
export type ObjectionsQuery = v.InferOutput<typeof objectionsQuery>;
