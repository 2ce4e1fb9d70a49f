import * as v from 'valibot';
import { must } from '../support/explore.ts';
import { followRedirects, ownershipOf, type Claim } from '../../shared/profiles/identity-claims.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { parseEntry, type OrdinalEntry } from '../../shared/profiles/stored-profile.ts';
import { holdsIdentity, identitiesOf } from '../../shared/profiles/resolve-profile.ts';
import { keys } from '../../shared/table/keys.ts';
import { attributesOf, identities, identityNames, type IdentityName } from './claim-protocol-items.ts';
import { markOf } from './claim-protocol-programs.ts';
import type { State } from './claim-protocol-state.ts';
import { scope } from '../profiles/harness.ts';

/** The ends of the actors, as far as they excuse leftovers in the table. */
export interface Ends {
  /** Records of writers that have ended. */
  readonly through: readonly AcceptedRecord[];
  /** Records of writers that died for good. */
  readonly dead: readonly AcceptedRecord[];
  readonly forgetterDied: boolean;
  /** Records of people whose forgetting has ended. */
  readonly gone: readonly AcceptedRecord[];
}

interface Found {
  readonly claims: ReadonlyMap<IdentityName, Claim>;
  readonly entries: ReadonlyMap<number, OrdinalEntry>;
}

const claimItem = v.object({
  w: v.string(),
  ordinal: v.nullable(v.number()),
  forgotten: v.exactOptional(v.string()),
});

/** The table of a state as the service reads it. */
const tableOf = ({ claims, entries }: Pick<State, 'claims' | 'entries'>): Found => ({
  claims: new Map(
    identityNames.flatMap((name, at): [IdentityName, Claim][] => {
      const item = must(claims, at);
      return item === 0 ? [] : [[name, v.parse(claimItem, { ...attributesOf(item), w: '' })]];
    }),
  ),
  entries: new Map(
    entries.map((item, ordinal) => [
      ordinal,
      parseEntry(
        item === 0 ? undefined : { ...attributesOf(item), ...keys.profile(scope.id, ordinal), w: '' },
      ),
    ]),
  ),
});

/** The fault in a table on which no actor works; undefined when there is none. */
export const wrongIn = (table: Pick<State, 'claims' | 'entries'>, ends: Ends): string | undefined => {
  const found = tableOf(table);
  const faults = [
    ...identityNames.map((name) => claimFault(found, name, ends)),
    ...[...found.entries].map(([ordinal, entry]) => entryFault(found, ordinal, entry, ends)),
    ...ends.through.map((record) => recordFault(found, record)),
    ...ends.gone.map((record) => remainsFault(found, record)),
  ];
  return faults.find((fault) => fault !== undefined);
};

/** The fault of an identity that a later record brings alone: it must find the profile of the earlier record. */
export const lostBy = (
  table: Pick<State, 'claims' | 'entries'>,
  name: IdentityName,
  record: AcceptedRecord,
): string | undefined => {
  const { claims, entries } = tableOf(table);
  const { owner } = ownershipOf(entries, claims.get(name));
  if (owner?.entry.kind !== 'profile') return `${name} finds nobody though it was brought once more`;
  if (!holdsIdentity(owner.entry.state, identities[name])) return `${name} finds somebody who has not got it`;
  return hasMark(owner.entry, record) ? undefined : `${name} finds somebody without the last record`;
};

type Profile = Extract<OrdinalEntry, { kind: 'profile' }>;

const hasMark = ({ state }: Profile, record: AcceptedRecord): boolean =>
  [...state.values()].some(({ area, name }) => area === 'extra' && name === markOf(record));

/** Whether a record brings an identity. */
export const hasIdentity = (record: AcceptedRecord, name: IdentityName): boolean =>
  record.patch.identities.some(
    ({ kind, value }) => kind === identities[name].kind && value === identities[name].value,
  );

const claimFault = ({ claims, entries }: Found, name: IdentityName, ends: Ends): string | undefined => {
  const claim = claims.get(name);
  if (!claim || claim.ordinal === null) return undefined;
  const { entry } = followRedirects(entries, claim.ordinal);
  if (entry.kind === 'profile' && holdsIdentity(entry.state, identities[name])) return undefined;
  // Its writer died before the profile write: the claim leads to no profile until the identity is stored again.
  if (ends.dead.some((record) => hasIdentity(record, name))) return undefined;
  if (entry.kind === 'forgotten' && ends.forgetterDied) return undefined;
  return entry.kind === 'profile'
    ? `the claim of ${name} leads to a profile without it`
    : `the claim of ${name} leads to nobody (${entry.kind})`;
};

const entryFault = (
  { claims, entries }: Found,
  ordinal: number,
  entry: OrdinalEntry,
  { forgetterDied }: Ends,
): string | undefined => {
  if (entry.kind === 'forgotten' && entry.unfinished && !forgetterDied)
    return `the forgetting of ${ordinal} is not finished`;
  if (entry.kind !== 'profile') return undefined;
  const held = identitiesOf(entry.state);
  if (held.filter(({ kind }) => kind === 'unique_id').length > 1) return `${ordinal} has two unique ids`;
  for (const name of identityNames) {
    const one = held.find(
      ({ kind, value }) => kind === identities[name].kind && value === identities[name].value,
    );
    if (!one) continue;
    const { owner, forgotten } = ownershipOf(entries, claims.get(name));
    if (owner?.ordinal !== ordinal) return `${name} is on ${ordinal} and does not find it`;
    if (forgotten !== undefined && one.register.stamp <= forgotten)
      return `${name} is on ${ordinal} though it was forgotten since`;
  }
  return undefined;
};

/**
 * The fault of a record: it must be on one profile with its identities, except identities of others, or its
 * person was forgotten since.
 */
const recordFault = ({ claims, entries }: Found, record: AcceptedRecord): string | undefined => {
  const mark = markOf(record);
  const having = [...entries].flatMap(([ordinal, entry]) =>
    entry.kind === 'profile' && hasMark(entry, record) ? [{ ordinal, entry }] : [],
  );
  const [home, second] = having;
  if (second) return `the record "${mark}" is on two profiles`;
  const own = identityNames.filter((name) => hasIdentity(record, name));
  const isForgotten = (name: IdentityName): boolean => {
    const { forgotten } = ownershipOf(entries, claims.get(name));
    return forgotten !== undefined && forgotten >= record.stamp;
  };
  if (!home) return own.some(isForgotten) ? undefined : `the record "${mark}" is lost`;
  for (const name of own) {
    if (holdsIdentity(home.entry.state, identities[name])) continue;
    if (identities[name].kind === 'unique_id') return `the record "${mark}" was stored without ${name}`;
    const { owner, forgotten } = ownershipOf(entries, claims.get(name));
    const isOfOther = owner?.entry.kind === 'profile' && holdsIdentity(owner.entry.state, identities[name]);
    if (!isOfOther && forgotten === undefined) return `${name} of the record "${mark}" is nowhere`;
  }
  return undefined;
};

const remainsFault = ({ entries }: Found, record: AcceptedRecord): string | undefined =>
  [...entries.values()].some((entry) => entry.kind === 'profile' && hasMark(entry, record))
    ? `"${markOf(record)}" remains of somebody forgotten`
    : undefined;
