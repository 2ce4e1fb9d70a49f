import { describe, expect, it } from 'vitest';
import { runAudit } from '../../cli/audit.ts';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { audit, type AuditDeps } from '../../shared/membership/audit/audit.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import {
  decodeChunk,
  encodeChunk,
  hasBit,
  membersIn,
  setBit,
  directoryWriter,
} from '../../shared/membership/chunk.ts';
import { birthMonthId } from '../../shared/catalogue/calendars.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { newSegmentIds } from '../../shared/catalogue/segment-items.ts';
import { chunkOf, groupOf, keys, offsetInChunk } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { indexedHarness, memberships } from '../ingest/indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { seeded } from '../ingest/interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { putMoment } from '../segments/fixture.ts';
import { blockOf } from '../support/blocks.ts';

const property = scope.id;
const everyone = scopedId(property, 1);
const tags = (name: string) => [{ datetime: '2026-01-02 03:04:05', tag: [name] }];

/** A property with people, and an audit of it as an operator starts it. */
const auditHarness = async (table = new MemoryTable()) => {
  const people = indexedHarness(table);
  await table.put(keys.property(property), {
    ...{ account: 1, name: 'Shop', created: NOW, wrappedKey: new Uint8Array(1) },
  });
  const profiles = profileRepository({ table });
  const catalogue = segmentCatalogue({ table, ...withoutBrands });
  const surroundings = {
    table,
    catalogue,
    derivations: unloadedBrands,
    clock: () => people.clock.now,
    pause: () => Promise.resolve(),
  };
  const readProfiles = profiles.readEach;
  const deps: AuditDeps = {
    ...surroundings,
    readProfiles,
    journal: journal(surroundings),
    scopeOf: () => Promise.resolve(scope),
    newIndex: () => membershipIndex({ ...surroundings, readProfiles }),
  };
  const run = async (
    repair = false,
    with_: AuditDeps = deps,
  ): Promise<AdminAnswer & Record<string, unknown>> => {
    const ask = async (payload: unknown): Promise<AdminAnswer> => {
      const answer = await audit(with_, payload);
      if (answer.ok) return { ...answer };
      return { ok: false, error: { message: answer.error.message, errors: [] } };
    };
    return runAudit({ command: 'audit', property, ...(repair ? { repair } : {}) }, ask, true);
  };
  /** Flips one bit of a chunk without any of the usual writers. */
  const flip = async (segment: number, ordinal: number): Promise<void> => {
    const key = keys.chunk(property, segment, groupOf(ordinal), chunkOf(ordinal));
    const bits = membersIn(await table.get(key));
    setBit(bits, offsetInChunk(ordinal), !hasBit(bits, offsetInChunk(ordinal)));
    await table.put(key, { members: encodeChunk(decodeChunk(encodeChunk(bits))) });
  };
  const tag = async (name: string): Promise<number> =>
    (await catalogue.find(property, name, { limit: 1 })).items[0]?.id ?? 0;
  const store = (from: number, to: number): Promise<unknown> =>
    people.apply(
      Array.from({ length: to - from }, (_, n) =>
        accepted(
          { unique_id: `u${from + n}`, tags: tags(`t${n % 3}`), birthday: `1990-0${1 + (n % 9)}-11` },
          n,
        ),
      ),
    );
  return { table, people, deps, run, flip, tag, store };
};

const clean = { ok: true, missing: 0, extra: 0, directories: 0, busy: 0, repaired: 0, differing: [] };

describe('an audit', () => {
  it('reports no difference for a correct index, however many windows the audit reads', async () => {
    const harness = await auditHarness();
    await harness.store(0, 50);
    await harness.table.increment(keys.counter(property, 'ordinal'), 80_000);
    await harness.store(50, 90);
    expect(await harness.run()).toMatchObject({ ...clean, profiles: 90 });
  });

  it('does not report a difference that a fill has announced, and reports the differences beside it', async () => {
    const harness = await auditHarness();
    await harness.store(0, 60);
    const [t0, t1] = [await harness.tag('t0'), await harness.tag('t1')];
    for (const [segment, ordinal] of [
      [t0, 3],
      [t0, 33],
      [t1, 4],
    ] as const)
      await harness.flip(segment, ordinal);
    const log = journal({ table: harness.table, clock: () => NOW });
    await log.announce(property, 'fill', [blockOf([everyone, t0], 0, 20)]);
    expect(await harness.run()).toMatchObject({ ok: true, missing: 2, extra: 0, busy: 1 });
  });

  it('reports exactly the corrupted entries, repairs them, and then reports none', async () => {
    const harness = await auditHarness();
    const { table } = harness;
    await harness.store(0, 60);
    await harness.table.increment(keys.counter(property, 'ordinal'), 40_000);
    await harness.store(60, 100);
    const [t0, t1, t2] = [await harness.tag('t0'), await harness.tag('t1'), await harness.tag('t2')];
    const frozen = await putMoment(table, 'T 2026-01-01T00:00:00Z', [3, 59]);
    // Missing, superfluous, hidden and everyone; then an unknown ordinal in a tag and in a moment.
    for (const [segment, ordinal] of [
      [t0, 0],
      [t1, 0],
      [birthMonthId(property, 1), 0],
      [everyone, 7],
    ] as const)
      await harness.flip(segment, ordinal);
    await harness.flip(t0, 40_070);
    await harness.flip(t0, 9_000);
    await harness.flip(t0, 64_000);
    await harness.flip(frozen, 300);
    // A segment that is in no catalogue.
    const [unknown = 0] = await newSegmentIds(table, property, 1);
    await directoryWriter({ table, pause: () => Promise.resolve() }).ensure(
      property,
      new Map([[unknown, new Set([0])]]),
    );
    await harness.flip(unknown, 5);
    // A lost directory.
    await table.write({ kind: 'delete', key: keys.directory(property, t2), expect: {} });
    const found = { missing: 3, extra: 6, busy: 0 };
    // The audit reads two windows of the group and misses the directory in both.
    for (let times = 0; times < 2; times += 1)
      expect(await harness.run()).toMatchObject({ ...found, directories: 2, repaired: 0 });
    expect(await harness.run(true)).toMatchObject({ ...found, directories: 1, repaired: 10 });
    expect(await harness.run()).toMatchObject(clean);
    const { indexed, derived } = await memberships(table, harness.people.clock.now);
    expect(indexed).toEqual(derived);
  });

  it('accepts the age bands of yesterday until the birthday job has run', async () => {
    const harness = await auditHarness();
    await harness.people.apply([accepted({ unique_id: 'u', birthday: '2001-01-16' })]);
    harness.people.clock.now = Date.parse('2026-01-16T00:01:00Z');
    expect(await harness.run()).toMatchObject(clean);
  });

  it('refuses malformed commands and unknown properties', async () => {
    const { deps } = await auditHarness();
    for (const wrong of [null, {}, { command: 'audit' }, { command: 'audit', property, from: -1 }])
      expect(await audit(deps, wrong)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    const foreign = { command: 'audit', property: property + 1 };
    expect(await audit(deps, foreign)).toMatchObject({ error: { code: 'unknown_property' } });
    expect(await audit(deps, { command: 'audit', property })).toMatchObject({ ok: true, next: null });
  });
});

/** Audits while writers store, forget and index people; returns the number of reported differences. */
const auditAmongWriters = async (seed: number, guarded: boolean): Promise<number> => {
  const choose = seeded(seed);
  let writing = false;
  const harness = await auditHarness(
    new MemoryTable(async () => {
      for (let turns = writing ? choose(4) : 0; turns > 0; turns -= 1) await new Promise(setImmediate);
    }),
  );
  await harness.store(0, 12);
  const none = { ...harness.deps.journal, waiting: () => Promise.resolve({ entries: [], more: false }) };
  const deps = guarded ? harness.deps : { ...harness.deps, journal: none };
  writing = true;
  const write = async (): Promise<void> => {
    for (let n = 0; n < 12; n += 1) {
      const sent = { unique_id: `u${choose(14)}`, tags: tags(`t${choose(4)}`), gender: `g${choose(2)}` };
      if (choose(8) === 0) await harness.people.forget(choose(12));
      else await harness.people.apply([accepted(sent, seed * 100 + n)], choose(2) === 0 ? 'now' : 'later');
    }
  };
  let reported = 0;
  const writers = { ended: false };
  const work = Promise.all([write(), write()])
    .then(() => harness.people.sweep())
    .finally(() => {
      writers.ended = true;
    });
  while (!writers.ended) {
    const { missing, extra, directories } = await harness.run(false, deps);
    reported += Number(missing) + Number(extra) + Number(directories);
  }
  await work;
  writing = false;
  expect(await harness.run()).toMatchObject(clean);
  return reported;
};

describe('an audit while writers are active', () => {
  it('does not report changes that are still under way', async () => {
    for (let seed = 1; seed <= 8; seed += 1) expect(await auditAmongWriters(seed, true)).toBe(0);
  });

  it('would report them if it did not read the journal', async () => {
    let reported = 0;
    for (let seed = 1; seed <= 8; seed += 1) reported += await auditAmongWriters(seed, false);
    expect(reported).toBeGreaterThan(0);
  });
});
