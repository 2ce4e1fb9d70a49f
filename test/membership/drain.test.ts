import { describe, expect, it } from 'vitest';
import type { QueueMessage } from '../../shared/runtime/ports.ts';
import { drainAnnounced, drainGroup, requestDrains, sweepJournal } from '../../shared/membership/drain.ts';
import { groupsOf } from '../../shared/membership/index-work.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { journal } from '../../shared/membership/journal.ts';
import { keys, ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { Fixture, property } from '../segments/fixture.ts';
import { surfaced } from '../segments/profiles.ts';
import { seeded } from '../ingest/interleave.ts';

const setUp = () => {
  const fixture = new Fixture();
  const log = journal({ table: fixture.table, clock: () => 1_000_000 });
  const sent: QueueMessage[] = [];
  const send = (messages: readonly QueueMessage[]): Promise<void> => {
    sent.push(...messages);
    return Promise.resolve();
  };
  let uuids = 0;
  const ids = { uuid: () => `uuid ${(uuids += 1)}`, nonce: () => '', hex: () => '' };
  const finishForgetting = () => Promise.resolve();
  const deps = { journal: log, membership: fixture.membership, finishForgetting, drains: { send }, ids };
  return { fixture, log, sent, deps };
};

const isChunkWrite = ({ name, keys }: Fixture['operations'][number]): boolean =>
  ['insert', 'update'].includes(name) && /#M#\d+#\d+$/.test(keys[0]?.pk ?? '');

describe('the drainer', () => {
  it('writes each chunk once for scattered updates of many batches', async () => {
    const { fixture, log, deps } = setUp();
    const choose = seeded(3);
    const people = 40_000;
    const tag = await fixture.tag('new');
    const order = Array.from({ length: people }, (_, at) => [choose(1_000_000), at] as const)
      .sort(([a], [b]) => a - b)
      .map(([, at]) => at * 6);
    for (let batch = 0; batch < people; batch += 500) {
      const ordinals = order.slice(batch, batch + 500);
      const entry = await log.open(
        property,
        `b${batch}`,
        ordinals.map((ordinal) => ({ segment: tag, ordinal })),
      );
      for (const ordinal of ordinals) fixture.profiles.set(ordinal, surfaced(ordinal, { tags: ['new'] }));
      await log.close(entry);
    }
    fixture.operations.length = 0;
    expect(await drainGroup(deps, property, 0)).toEqual({ retired: 80, more: false });
    const chunks = Math.ceil((people * 6) / 4096);
    expect(fixture.operations.filter(isChunkWrite)).toHaveLength(chunks);
    expect(await countMembers(fixture.table, { property, expression: tag })).toBe(people);
  });

  it('keeps every chunk item below 1 KB', async () => {
    const { fixture } = setUp();
    await fixture.put(
      Array.from({ length: 9_000 }, (_, n) => [n, { tags: n % 2 ? ['a'] : [] }] as const),
      ['a'],
    );
    const chunks = fixture.table.items().filter(({ pk }) => /#M#\d+#\d+$/.test(pk));
    const sizes = chunks.map(({ pk, sk, w, members }) => {
      const bytes = members instanceof Uint8Array ? members.length : 0;
      return bytes + [pk, sk, w, 'pk', 'sk', 'w', 'members'].join('').length;
    });
    expect(chunks).toHaveLength(6);
    expect(Math.max(...sizes)).toBeLessThan(1024);
  });

  it('is started by the sweep, with one message for each group that has journal entries', async () => {
    const { log, sent, deps } = setUp();
    await log.open(1, 'a', [{ segment: 1, ordinal: 1 }]);
    await log.open(1, 'b', [{ segment: 1, ordinal: 2 }]);
    await log.open(2, 'c', [{ segment: 1, ordinal: 3 * ORDINALS_PER_GROUP }]);
    expect(await sweepJournal(deps)).toBe(2);
    expect(sent.map(({ body }) => body).sort()).toEqual([
      JSON.stringify({ v: 1, property: 1, group: 0 }),
      JSON.stringify({ v: 1, property: 2, group: 3 }),
    ]);
    expect(sent.map(({ group }) => group).sort()).toEqual(['1#0', '2#3']);
    expect(new Set(sent.map(({ deduplicationId }) => deduplicationId)).size).toBe(2);
  });

  it('is started by a job that waits for announced changes, and no longer once they are indexed', async () => {
    const { fixture, log, sent, deps } = setUp();
    await fixture.table.increment(keys.counter(property, 'ordinal'), 2 * ORDINALS_PER_GROUP + 1);
    const pairs = [{ segment: await fixture.tag('a'), ordinal: 2 * ORDINALS_PER_GROUP }];
    await log.close(await log.open(property, 'a', pairs));
    await log.open(property + 1, 'b', pairs);
    expect(await drainAnnounced(deps, property, 999_999)).toBe(true);
    expect(sent).toEqual([]);
    expect(await drainAnnounced(deps, property, 1_000_000)).toBe(false);
    expect(sent.map(({ group }) => group)).toEqual([`${property}#2`]);
    await drainGroup(deps, property, 2);
    expect(await drainAnnounced(deps, property, 1_000_000)).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('is started again by every request, because no two requests share an SQS deduplication id', async () => {
    const { sent, deps } = setUp();
    for (let request = 0; request < 3; request += 1) await requestDrains(deps, [{ property, group: 0 }]);
    expect(new Set(sent.map(({ deduplicationId }) => deduplicationId)).size).toBe(3);
    expect(new Set(sent.map(({ group }) => group))).toEqual(new Set([`${property}#0`]));
  });

  it('is not started for people who are spread over too many chunks', () => {
    const chunks = (count: number) => Array.from({ length: count }, (_, chunk) => chunk * ORDINALS_PER_CHUNK);
    const far = 3 * ORDINALS_PER_GROUP;
    expect(groupsOf([...chunks(17), far, far + 1], 64)).toEqual([0, 3]);
    expect(groupsOf([...chunks(17), far, far + 1], 16)).toEqual([3]);
    expect(groupsOf([...chunks(16), ...chunks(16)], 16)).toEqual([0]);
  });

  it('leaves the journal of a property empty only after it has indexed every entry', async () => {
    const { fixture, log, deps } = setUp();
    const tag = await fixture.tag('a');
    const entry = await log.open(property, 'a', [{ segment: tag, ordinal: 5 }]);
    await log.open(property + 1, 'b', [{ segment: 1, ordinal: 5 }]);
    expect(await log.groups(property)).toEqual([{ property, group: 0 }]);
    await drainGroup(deps, property, 0);
    expect(await log.groups(property)).toEqual([{ property, group: 0 }]);
    fixture.profiles.set(5, surfaced(5, { tags: ['a'] }));
    await log.close(entry);
    await drainGroup(deps, property, 0);
    expect(await log.groups(property)).toEqual([]);
    expect(await countMembers(fixture.table, { property, expression: tag })).toBe(1);
  });

  it('distinguishes changes announced by a given time from later changes', async () => {
    const { fixture } = setUp();
    let now = 1_000_000;
    const log = journal({ table: fixture.table, clock: () => now });
    const open = (attemptId: string, ordinal: number) =>
      log.open(property, attemptId, [{ segment: 1, ordinal }]);
    await fixture.table.increment(keys.counter(property, 'ordinal'), ORDINALS_PER_GROUP + 1);
    const early = await open('early', 5);
    now += 10_000;
    await open('late', 5);
    await open('elsewhere', ORDINALS_PER_GROUP);
    expect(await log.groups(property, 999_999)).toEqual([]);
    expect(await log.groups(property, 1_009_999)).toEqual([{ property, group: 0 }]);
    expect(await log.groups(property, 1_010_000)).toHaveLength(2);
    expect(await log.isEmpty(property, 999_999)).toBe(true);
    expect(await log.isEmpty(property, 1_009_999)).toBe(false);
    await log.retire(early);
    expect(await log.groups(property, 1_009_999)).toEqual([]);
    expect(await log.isEmpty(property, 1_009_999)).toBe(true);
    expect(await log.isEmpty(property, 1_010_000)).toBe(false);
    expect(await log.groups(property)).toHaveLength(2);
  });

  it('sets members of one segment before it clears members of another', async () => {
    const { fixture } = setUp();
    await fixture.put([[1, { tags: ['a'] }]], ['a', 'b']);
    const [a, b] = [await fixture.tag('a'), await fixture.tag('b')];
    fixture.operations.length = 0;
    await fixture.put([[1, { tags: ['b'] }]], ['a', 'b']);
    const written = fixture.operations.filter(isChunkWrite).map(({ keys }) => keys[0]?.pk);
    expect(written.at(-1)).toBe(`P#${property}#M#${a}#0`);
    expect(written).toContain(`P#${property}#M#${b}#0`);
  });
});
