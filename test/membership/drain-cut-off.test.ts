import { describe, expect, it } from 'vitest';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { drainGroup } from '../../shared/membership/drain.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { parseSegment } from '../../shared/catalogue/segment-items.ts';
import { encodeChunk, noBits } from '../../shared/membership/chunk.ts';
import type { Table, Write, WriteOutcome } from '../../shared/table/table.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { indexedHarness, memberships } from '../ingest/indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { blockOf } from '../support/blocks.ts';

class Killed extends Error {}

/** The table of a process that is killed after a number of writes. */
const killedAfter = (table: Table, writes: number): Table => {
  let left = writes;
  const view = viewOf(table, {
    write: (write) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Killed()) : table.write(write);
    },
    // The writes before the kill stay in the table.
    writeMany: async (all) => {
      const outcomes: WriteOutcome[] = [];
      for (const write of all) outcomes.push(await view.write(write));
      return outcomes;
    },
  });
  return view;
};

/** One pass of a drainer that updates at most `mostChunks` chunks. */
const look = (table: Table, mostChunks: number) => {
  const surroundings = {
    table,
    clock: () => NOW,
    pause: () => Promise.resolve(),
    derivations: unloadedBrands,
  };
  const catalogue = segmentCatalogue(surroundings);
  const profiles = profileRepository(surroundings);
  const readProfiles = profiles.readEach;
  const membership = membershipIndex({ ...surroundings, catalogue, readProfiles });
  const finishForgetting = () => Promise.resolve();
  return drainGroup(
    { journal: journal(surroundings), membership, finishForgetting },
    scope.id,
    0,
    mostChunks,
  );
};

const waitingIn = (table: MemoryTable): number => table.items('journal').length;

const nobody = { members: encodeChunk(noBits()) };

/** 300 people, each with a tag of their own, so each with a segment and a chunk of their own. */
const scattered = async () => {
  const table = new MemoryTable();
  const tag = (n: number) => [{ datetime: '2026-01-01 00:00:00', tag: [`t${n}`] }];
  const people = Array.from({ length: 300 }, (_, n) => accepted({ email: `p${n}@b.co`, tags: tag(n) }, n));
  await indexedHarness(table).apply(people, 'later');
  expect(waitingIn(table)).toBe(1);
  return table;
};

describe('a drainer', () => {
  it('finishes even if it is killed again and again', async () => {
    const table = await scattered();
    let deliveries = 0;
    for (let more = true; more && deliveries < 50; deliveries += 1) {
      // The drain takes about 900 writes. A process makes as many passes as its lifetime allows.
      const view = killedAfter(table, 250);
      try {
        do ({ more } = await look(view, 50));
        while (more);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    expect(deliveries).toBeLessThan(10);
    expect(waitingIn(table)).toBe(0);
    const { indexed, derived } = await memberships(table, NOW);
    expect(indexed).toEqual(derived);
  });

  it('indexes whole persons in order on each pass, up to a number of chunks', async () => {
    const table = await scattered();
    const counts: number[] = [];
    for (let more = true; more;) {
      ({ more } = await look(table, 100));
      const { indexed } = await memberships(table, NOW);
      const everyone = Object.values(indexed).find((members) => members.length > 1) ?? [];
      const tagged = Object.values(indexed)
        .filter((members) => members.length === 1)
        .flat();
      expect(tagged.toSorted((a, b) => a - b)).toEqual(everyone.slice(0, tagged.length));
      counts.push(everyone.length);
    }
    expect(counts.at(-1)).toBe(300);
    expect(counts.length).toBeGreaterThan(3);
    expect(waitingIn(table)).toBe(0);
  });

  it('indexes at least one person on each pass, however many segments the person is in', async () => {
    const table = await scattered();
    let looks = 0;
    for (let more = true; more; looks += 1) ({ more } = await look(table, 1));
    expect(looks).toBe(300);
    expect(waitingIn(table)).toBe(0);
  });

  it('indexes announced blocks part by part, also if it is killed, whatever the index said before', async () => {
    const table = await scattered();
    for (let more = true; more;) ({ more } = await look(table, 1_000));
    const chunks = table.items('chunk');
    await table.writeMany(
      chunks.map(({ pk, sk }): Write => ({ kind: 'update', key: { pk, sk }, set: nobody, expect: {} })),
    );
    const tags = table.items('segment').map((item) => parseSegment(item).id);
    const segments = [scopedId(scope.id, 1), ...tags];
    const log = journal({ table, clock: () => NOW });
    await log.announce(scope.id, 'one', [blockOf(segments, 0, 5_000)]);
    await log.announce(scope.id, 'two', [
      blockOf(segments, 200, 9_000),
      { segment: segments[0] ?? 0, ordinal: 7 },
    ]);
    let deliveries = 0;
    for (let more = true; more && deliveries < 50; deliveries += 1) {
      try {
        ({ more } = await look(killedAfter(table, deliveries % 2 === 0 ? 250 : 700), 310));
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    expect(deliveries).toBeGreaterThan(3);
    expect(waitingIn(table)).toBe(0);
    const { indexed, derived } = await memberships(table, NOW);
    expect(indexed).toEqual(derived);
  });
});
