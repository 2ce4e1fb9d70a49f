import { identityKey } from '../../shared/catalogue/identity.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { finishForgetting } from '../../shared/ingest/forget-person.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { membersIn } from '../../shared/membership/chunk.ts';
import { drainGroup } from '../../shared/membership/drain.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { removeValueSegment } from '../../shared/segments/remove-value-segment.ts';
import type { Table } from '../../shared/table/table.ts';
import { indexedHarness, memberships } from '../ingest/indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import type { MemoryTable } from '../support/memory-table.ts';

/** The segment of the scenes. */
const jazz = { type: 'tag', path: ['Tags'], name: 'jazz' } as const;

const datetime = '2026-01-01 00:00:00';

/** A process with caches of its own. Its drains and writes share them, like the requests of a warm function. */
export const processOn = (table: Table) => {
  const clock = () => NOW;
  const pause = (): Promise<void> => Promise.resolve();
  const writer = profileWriter({ table, clock, pause, derivations: unloadedBrands });
  const { referrers } = referencesHarness(table);
  let attempts = 0;
  const name = Math.random().toString(36).slice(2);
  const apply = async (who: string, sent: object, order: number, index: 'now' | 'later') => {
    const record = accepted({ unique_id: who, ...sent }, order);
    const attemptId = `${name}-${(attempts += 1)}`;
    await applyRecords(writer, scope, [record], { attemptId, index });
  };
  return {
    /** Gives a person the tag. */
    tag: (who: string, order: number, index: 'now' | 'later' = 'now') =>
      apply(who, { tags: [{ datetime, tag: [jazz.name] }] }, order, index),
    /** Takes all tags from a person. */
    untag: (who: string, order: number, index: 'now' | 'later' = 'now') =>
      apply(who, { tags: null }, order, index),
    drain: async (): Promise<void> => {
      const deps = { ...writer, moments: momentMembers(writer) };
      const finish = (property: number, ordinal: number) => finishForgetting(deps, property, ordinal);
      await drainGroup({ ...deps, finishForgetting: finish }, scope.id, 0);
    },
    remove: (id: number) => removeValueSegment({ table, pause, referrers }, scope.id, id, { now: NOW }),
    idOf: async (): Promise<number | undefined> =>
      (await writer.segments.findIds(scope.id, [jazz])).get(identityKey(jazz)),
    segments: writer.segments,
  };
};
export type Process = ReturnType<typeof processOn>;

/** What is wrong with the index: memberships that differ from the profiles, and two segments of one value. */
export const faultsIn = async (table: MemoryTable): Promise<readonly string[]> => {
  const harness = indexedHarness(table);
  await harness.sweep();
  const { indexed, derived } = await memberships(table, harness.clock.now);
  const named = (await harness.catalogue.find(scope.id, jazz.name, { limit: 10 })).items;
  return [
    ...(JSON.stringify(sorted(indexed)) === JSON.stringify(sorted(derived)) ? [] : ['memberships']),
    ...(named.length > 1 ? ['two segments of one value'] : []),
  ];
};

const sorted = (members: Readonly<Record<string, readonly number[]>>) =>
  Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));

/** Whether the index still has members under the id of a segment. */
export const hasBits = (table: MemoryTable, id: number): boolean =>
  table.items().some((item) => item.pk.startsWith(`P#${scope.id}#M#${id}#`) && membersIn(item).some(Boolean));
