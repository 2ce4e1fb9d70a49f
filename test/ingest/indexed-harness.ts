import { noDisclosures } from '../support/no-disclosures.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { expect } from 'vitest';
import * as v from 'valibot';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import type { Identity, RecordOutcome } from '../../shared/profiles/types.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { finishForgetting, forgetPeople, forgetPerson } from '../../shared/ingest/forget-person.ts';
import { forgetProfile } from '../../shared/ingest/forget-profile.ts';
import { restrictPerson } from '../../shared/ingest/restrict-person.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { drainGroup, drainRequest, sweepJournal } from '../../shared/membership/drain.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { journal } from '../../shared/membership/journal.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Pause } from '../../shared/runtime/pause.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { cachedDerivations } from '../../shared/catalogue/derivation.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { requestOf } from '../support/requests.ts';

/** A time longer than the lifetime of a journal entry. */
const HOUR_MS = 3_600_000;

/** Tests deflate a part of their states. */
const SOME_BYTES = 200;

/** A process of the service, with memories of its own. */
export const processOf = (ports: Parameters<typeof cachedDerivations>[0] & { readonly pause: Pause }) => {
  const writer = profileWriter({ ...ports, derivations: cachedDerivations(ports), deflateFrom: SOME_BYTES });
  return { ...writer, moments: momentMembers(writer) };
};

/** Sweeps the journal, and runs the drains that the sweep asks for. */
export const sweepBy = async (process: ReturnType<typeof processOf>): Promise<void> => {
  const drains = new MemoryQueue();
  await sweepJournal({ journal: process.journal, drains, ids: systemIds });
  await drainRequested(process, drains);
};

/** Runs the drains that a queue asks for. */
export const drainRequested = async (
  process: ReturnType<typeof processOf>,
  drains: MemoryQueue,
): Promise<void> => {
  for (const body of drains.takeBodies()) {
    const { property, group } = v.parse(drainRequest, body);
    const finish = (owner: number, ordinal: number) => finishForgetting(process, owner, ordinal);
    await drainGroup({ ...process, finishForgetting: finish }, property, group);
  }
};

/**
 * Stores and forgets people, with the real index, on one table. Time stands still until a test moves `clock`. Each call
 * has memories of its own, like a process of its own.
 */
export const indexedHarness = (table: Table) => {
  const clock = { now: NOW };
  const surroundings = { table, clock: () => clock.now, pause: () => Promise.resolve() };
  const profiles = profileRepository(surroundings);
  const log = journal(surroundings);
  let attempts = 0;
  const attempt = (): string => `attempt-${(attempts += 1)}`;
  const process = () => processOf(surroundings);
  const apply = (
    records: readonly AcceptedRecord[],
    index: 'now' | 'later' = 'now',
  ): Promise<readonly RecordOutcome[]> =>
    applyRecords(process(), scope, records, { attemptId: attempt(), index });
  const forget = (ordinal: number) => forgetPerson(process(), scope, ordinal, attempt());
  /** Lets the person at an ordinal follow rules of the property. */
  const followRules = (ordinal: number, specialCategories: boolean): Promise<void> =>
    restrictPerson(process(), { ...scope, rules: { ...scope.rules, specialCategories } }, ordinal, attempt());
  const forgetAll = (ordinals: readonly number[]) => forgetPeople(process(), scope, ordinals, attempt());
  /** Forgets the person with this e-mail address as `DELETE profile` does. Returns the status of the answer. */
  const deleteProfile = async (email: string): Promise<number> => {
    const answer = await forgetProfile(
      {
        ...process(),
        scopeOf: () => Promise.resolve(scope),
        forgettings: new MemoryTable(),
        forgotten: forgottenPeople(table),
        disclosuresOf: noDisclosures,
      },
      requestOf({
        // A DELETE that is sent again is another request.
        requestId: attempt(),
        ...{ property: scope.id, now: clock.now, query: { email, refuse_later: false }, body: undefined },
      }),
    );
    return answer.ok ? answer.value.status : answer.error.status;
  };
  /** Lets every journal entry expire, then sweeps and drains. */
  const sweep = async (): Promise<void> => {
    clock.now += HOUR_MS;
    await sweepBy(process());
    if ((await log.groups()).length > 0) throw new Error('the journal is not empty after a sweep');
  };
  const find = (identity: Identity) => profiles.findByIdentity(scope, identity);
  return {
    clock,
    apply,
    forget,
    forgetAll,
    followRules,
    deleteProfile,
    sweep,
    find,
    catalogue: process().segments,
  };
};

/** The index agrees with the profiles. Returns its memberships. */
export const expectIndexed = async (table: MemoryTable, now: number) => {
  const { indexed, derived } = await memberships(table, now);
  expect(indexed).toEqual(derived);
  return indexed;
};

/** Memberships by segment, from the index and from the profiles; both are equal in a correct index. */
export const memberships = async (table: MemoryTable, now: number) => {
  const derivations = cachedDerivations({ table, clock: () => now });
  const around = { table, clock: () => now, derivations, pause: () => Promise.resolve() };
  const catalogue = segmentCatalogue(around);
  const indexed: Record<string, readonly number[]> = {};
  for (const segment of (await catalogue.list(scope.id, { limit: 1_000 })).items) {
    if (segment.type === 'moment') continue;
    const members: number[] = [];
    for await (const ordinal of membersFrom(table, { property: scope.id, expression: segment.id }))
      members.push(ordinal);
    if (members.length > 0) indexed[identityKey(segment)] = members;
  }
  const derivation = (await derivations.of(scope.id)).at(now);
  const derived: Record<string, number[]> = {};
  const stored = table.items('profile');
  const ordinals = stored.map(({ pk, sk }) => Number(pk.split('#').at(-1)) * PROFILES_PER_BLOCK + Number(sk));
  const found = await profileRepository({ table }).readMany(
    scope.id,
    ordinals.sort((a, b) => a - b),
  );
  for (const [ordinal, profile] of found)
    for (const key of segmentsOf(profile, now, derivation).keys()) (derived[key] ??= []).push(ordinal);
  return { indexed, derived };
};
