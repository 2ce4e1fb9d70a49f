/**
 * Objections: identities whose owners object to being stored, or to every use of their data. The claim of the identity has
 * the objection, because every writer reads the claims of its records. A list of each property names the objections by keyed
 * hashes. Neither has a value of a person, and both outlive the person's profile.
 */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { isoTime } from '../runtime/clock.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { identityKinds, keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { identityRef, keyedHash } from './identity-claims.ts';
import type { Identity } from './types.ts';

/** What an objection is about: later records are refused, or are stored without use. */
const objectionScopes = ['storage', 'use'] as const;

const claimKey = v.object({ pk: v.string(), sk: v.string() });

/** An objection as a list item stores it, without its id. */
const objectionItem = v.object({
  kind: v.picklist(identityKinds),
  scope: v.picklist(objectionScopes),
  created: v.number(),
  /** Id of the user. */
  created_by: v.number(),
  claim: claimKey,
});

/** An objection. Its id is a keyed hash of the identity, so an identity has one objection at most. */
export interface Objection extends Readonly<v.InferOutput<typeof objectionItem>> {
  readonly id: string;
}

/** Schema of the change of an objection, as a log stores it. */
export const objectionChange = v.object({
  ...objectionItem.entries,
  id: v.string(),
  /** `null`: the objection ends. */
  scope: v.nullable(objectionItem.entries.scope),
});

/** An objection, or the end of one. */
export type ObjectionChange = Readonly<v.InferOutput<typeof objectionChange>>;

const shownScope = described(
  'What the person objects to. `storage`: later records with the identity are refused. `use`: they are stored, and the person is in no segment and no export, and has given no consent.',
  v.picklist(objectionScopes, 'Must be storage or use.'),
);

/** The parts of an objection in an answer. */
export const objectionEntries = {
  id: described('The id of the objection: a keyed hash, which does not tell the identity.', v.string()),
  kind: described('The kind of the identity.', v.picklist(identityKinds)),
  scope: shownScope,
  created: described('When the objection was made.', v.pipe(v.string(), v.isoTimestamp())),
  created_by: described('The id of the user who made it.', v.pipe(v.number(), v.integer())),
};

/** An objection in an answer. */
export const shownObjection = v.strictObject(objectionEntries);

/** An objection as the API shows it. */
export const objectionView = ({ id, kind, scope, created, created_by }: Objection) => ({
  ...{ id, kind, scope, created: isoTime(created), created_by },
});

/** The id of the objection of an identity, and the key of its claim. */
export const objectionRef = (
  scope: PropertyScope,
  identity: Identity,
): Pick<Objection, 'id' | 'kind' | 'claim'> => ({
  id: keyedHash(scope, 'objection', `${identity.kind}\n${identity.value}`),
  kind: identity.kind,
  claim: identityRef(scope, identity).key,
});

/** Reads an item of the list. */
export const parseObjection = (item: StoredItem): Objection => ({
  ...v.parse(objectionItem, item),
  id: item.sk,
});

/** The objection with an id; `undefined` when there is none. */
export const readObjection = async (
  table: Pick<Table, 'get'>,
  property: number,
  id: string,
): Promise<Objection | undefined> => {
  const item = await table.get(keys.objection(property, id));
  return item && parseObjection(item);
};

/** The objections of some identities. */
export const objectionsOf = async (
  table: Pick<Table, 'getMany'>,
  scope: PropertyScope,
  identities: readonly Identity[],
): Promise<readonly Objection[]> => {
  const refs = identities.map((identity) => keys.objection(scope.id, objectionRef(scope, identity).id));
  return (await table.getMany(refs)).flatMap((item) => (item ? [parseObjection(item)] : []));
};
