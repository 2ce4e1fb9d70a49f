import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { identityRef } from '../../shared/profiles/identity-claims.ts';
import { tiers, type RecordOutcome, type ResolvedProfile, type Tier } from '../../shared/profiles/types.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { parseEntry, type OrdinalEntry } from '../../shared/profiles/stored-profile.ts';
import { encodedStateIn } from '../../shared/profiles/stored-state.ts';
import { resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { anotherOrder, count, type Counts, type HistoryRecord } from './history.ts';
import type { Choose } from './interleave.ts';
import type { StampMap } from '../profiles/stamps.ts';
import { NOW, scope, harnessOn } from '../profiles/harness.ts';
import { storedAt } from '../support/stored-at.ts';

/** A record of a person's history on its way to the table. */
export interface Sent {
  readonly person: number;
  readonly carries: number;
  readonly record: AcceptedRecord;
}

/** The stored state of one person. */
export interface Stored {
  readonly text: string;
  readonly state: Extract<OrdinalEntry, { kind: 'profile' }>['state'];
  readonly surfaced: ResolvedProfile;
}

const tierOf = new Map<number, Tier>(Object.values(tiers).map((tier) => [tier, tier]));

/** The records of these people as the edge accepts them. */
export const acceptedOf = (
  histories: readonly (readonly HistoryRecord[])[],
  { stampFor }: StampMap,
): readonly (readonly Sent[])[] =>
  histories.map((records, person) =>
    records.map(({ sent, tier, time, skip, origin, carries }) => {
      const patch = normalizeRecord(sent, { now: NOW, tier: tierOf.get(tier) ?? tiers.stated });
      if (!patch.ok) throw new Error(JSON.stringify(patch.error));
      const record = { patch: patch.value, stamp: stampFor(time), skipAppends: skip, origin };
      return { person, carries, record };
    }),
  );

const BATCHES = 3;

/**
 * The same records in another order. Some records come twice, the records of each person are spread over several
 * batches, and some batches come again, as after a crash.
 */
export const disturbed = (
  people: readonly (readonly Sent[])[],
  choose: Choose,
  counts: Counts,
): readonly (readonly Sent[])[] => {
  const batches = Array.from({ length: BATCHES }, (): Sent[] => []);
  for (const records of people) {
    const again = records.filter(() => choose(5) === 0);
    const order = anotherOrder([...records, ...again], choose);
    const places = order.map(() => choose(BATCHES)).sort((a, b) => a - b);
    order.forEach((one, at) => batches[places[at] ?? 0]?.push(one));
    count(counts, 'duplicates', again.length);
    count(counts, 'splits', new Set(places).size - 1);
    if (order.slice(0, records.length).some((one, at) => one !== records[at])) count(counts, 'shuffles');
  }
  const repeated = choose(3) === 0 ? batches.slice(choose(BATCHES)).slice(0, 1) : [];
  count(counts, 'duplicates', repeated.flat().length);
  return [...batches, ...repeated];
};

/**
 * Applies batches to an empty table in order, and reads the stored state of each person. The writer expects new people in
 * every second batch, whoever they are.
 */
export const storedAfter = async (
  batches: readonly (readonly Sent[])[],
  people: number,
): Promise<readonly Stored[]> => {
  let applied = 0;
  const newcomers = { expected: () => applied % 2 === 1, met: () => undefined };
  const { table, apply } = harnessOn(undefined, { newcomers });
  const owned = Array.from(
    { length: people },
    () => new Map<string, AcceptedRecord['patch']['identities'][0]>(),
  );
  const ordinals = new Map<number, number>();
  for (const batch of batches) {
    const outcomes = await apply(batch.map(({ record }) => record));
    applied += 1;
    batch.forEach(({ person, record }, at) => {
      const ordinal = ordinalOf(outcomes[at]);
      if ((ordinals.get(person) ?? ordinal) !== ordinal) throw new Error(`person ${person} got two profiles`);
      ordinals.set(person, ordinal);
      for (const identity of record.patch.identities) owned[person]?.set(identity.value, identity);
    });
  }
  const items = new Map(table.items().map((item) => [nameOf(item), item]));
  return owned.map((identities, person) => {
    const ordinal = ordinals.get(person) ?? -1;
    for (const identity of identities.values())
      if (items.get(nameOf(identityRef(scope, identity).key))?.['ordinal'] !== ordinal)
        throw new Error(`the ${identity.kind} of person ${person} does not lead to the profile`);
    return storedOf(items.get(nameOf(keys.profile(scope.id, ordinal))), ordinal);
  });
};

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const ordinalOf = (outcome: RecordOutcome | undefined): number => {
  if (!outcome || !('ordinal' in outcome) || outcome.warnings.length > 0)
    throw new Error(`a record was not taken as it is: ${JSON.stringify(outcome)}`);
  return outcome.ordinal;
};

const storedOf = (item: StoredItem | undefined, ordinal: number): Stored => {
  const slot = parseEntry(item);
  const stored = item?.['state'];
  if (slot.kind !== 'profile') throw new Error('a person has no profile');
  const text =
    stored instanceof Uint8Array
      ? `${encodedStateIn(stored)} as ${Buffer.from(stored).toString('base64')}`
      : String(stored);
  return { text, state: slot.state, surfaced: resolveProfile(slot.state, ordinal, storedAt(NOW)) };
};
