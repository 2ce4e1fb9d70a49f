/**
 * Objections: identities whose owners object to being stored, or to every use of their data. The claim of the identity has
 * the objection, because every writer reads the claims of its records. A list of each property names the objections by keyed
 * hashes. Neither has a value of a person, and both outlive the person's profile.
 */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { isoTime } from '../runtime/clock.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { identityKinds, type IdentityKind, type Key } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import {
  claimObjection,
  identityRef,
  keyedHash,
  objectionScopes,
  parseClaim,
  type ClaimObjection,
} from './identity-claims.ts';
import type { Identity } from './types.ts';

/** An objection as a list item names it; what it is about is in the claim. */
const objectionItem = v.object({
  w: v.string(),
  sk: v.string(),
  kind: v.picklist(identityKinds),
  claim: v.object({ pk: v.string(), sk: v.string() }),
});

/** An identity that may object: its id, a keyed hash, its kind, and the key of its claim. */
export interface ObjectionRef {
  readonly id: string;
  readonly kind: IdentityKind;
  readonly claim: Key;
}

/** An objection. An identity has one at most. */
export interface Objection extends ObjectionRef, ClaimObjection {}

/** Schema of the change of an objection, as a log stores it; `null` ends it. */
export const objectionChange = v.object({
  id: v.string(),
  kind: objectionItem.entries.kind,
  claim: objectionItem.entries.claim,
  objection: v.nullable(claimObjection),
});

/** An objection that is made or changed, or the end of one. */
export interface ObjectionChange extends ObjectionRef {
  readonly objection: ClaimObjection | null;
}

const shownScope = described(
  'What the person objects to. `use`: the person is in no segment and no export, and has given no consent; later records are stored all the same. `storage`: later records with the identity are refused, too.',
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

/** The reference of an identity. */
export const objectionRef = (scope: PropertyScope, identity: Identity): ObjectionRef => ({
  id: keyedHash(scope, 'objection', `${identity.kind}\n${identity.value}`),
  kind: identity.kind,
  claim: identityRef(scope, identity).key,
});

/** An item of the list, with its nonce. */
export const parseObjection = (item: StoredItem): ObjectionRef & { readonly w: string } => {
  const { w, sk: id, kind, claim } = v.parse(objectionItem, item);
  return { w, id, kind, claim };
};

/**
 * The objections behind these references, in their order. The claim decides, so an item without an objection in its claim,
 * which a call that died may leave, is none.
 */
export const objectionsBehind = async (
  table: Pick<Table, 'getMany'>,
  refs: readonly ObjectionRef[],
): Promise<readonly Objection[]> => {
  const items = await table.getMany(refs.map(({ claim }) => claim));
  return refs.flatMap(({ id, kind, claim }, index) => {
    const objection = parseClaim(items[index])?.objection;
    return objection ? [{ id, kind, claim, ...objection }] : [];
  });
};

/** The objections of some identities. */
export const objectionsOf = (
  table: Pick<Table, 'getMany'>,
  scope: PropertyScope,
  identities: readonly Identity[],
): Promise<readonly Objection[]> =>
  objectionsBehind(
    table,
    identities.map((identity) => objectionRef(scope, identity)),
  );
