import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listQuery } from '../../shared/http/list-schemas.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { segmentSizesAnswer } from '../../shared/segments/schemas.ts';
import { listSizes } from '../../shared/membership/sizes/list-sizes.ts';
import { measureSizes } from '../../shared/membership/sizes/measure.ts';
import { keys, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { seeded } from '../ingest/interleave.ts';
import { request, referencesHarness } from '../references/harness.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { everyone, Fixture, property, scopeOf } from '../segments/fixture.ts';
import { surfaced } from '../segments/profiles.ts';

const MINUTE_MS = 60_000;
const ample = (): boolean => true;

/** Profiles with their index, written by one process that keeps its memory, and the job that measures sizes. */
const sizesHarness = () => {
  const fixture = new Fixture();
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = () => time.now;
  const pause = () => Promise.resolve();
  const membership = membershipIndex({ ...fixture.deps, derivations: unloadedBrands, clock, pause });
  const tag = async (name: string, ordinals: readonly number[]): Promise<number> => {
    const id = await fixture.tag(name);
    const pairs = ordinals.flatMap((ordinal) => [everyone, id].map((segment) => ({ segment, ordinal })));
    for (const ordinal of ordinals) fixture.profiles.set(ordinal, surfaced(ordinal, { tags: [name] }));
    await membership.reindex({ id: property }, pairs);
    return id;
  };
  const measure = (hasTime = ample) =>
    measureSizes(
      { ...fixture.deps, catalogue: segmentCatalogue({ ...fixture.deps, ...withoutBrands }), clock },
      property,
      hasTime,
    );
  const useCase = (asked: Parameters<typeof listSizes>[1]) =>
    listSizes({ ...fixture.deps, scopeOf, baseUrl: 'https://tidemark.test' }, asked);
  const page = async (query: Record<string, string> = {}) => {
    const answer = await useCase({ ...request(undefined), query: v.parse(listQuery, query) });
    if (!answer.ok) return answer.error.status;
    return v.parse(segmentSizesAnswer, answer.value.body);
  };
  const sizes = async (query: Record<string, string> = {}) => {
    const answer = await page(query);
    if (typeof answer === 'number') throw new Error(`answered ${answer}`);
    return answer;
  };
  return { fixture, time, tag, measure, page, sizes };
};

type SizesHarness = ReturnType<typeof sizesHarness>;

/** The expected list: every listed segment with its exact number of members, counted now. */
const exact = async ({ fixture }: SizesHarness) => {
  const catalogue = segmentCatalogue({ ...fixture.deps, ...withoutBrands });
  const { items: segments } = await catalogue.list(property, { limit: 1_000 });
  const counted: { readonly id: number; readonly count: number }[] = [];
  for (const { id, custom } of segments) {
    const target = custom?.members ?? id;
    counted.push({ id, count: await countMembers(fixture.table, { property, expression: target }) });
  }
  return counted.sort((a, b) => b.count - a.count || a.id - b.id);
};
const shown = async (harness: SizesHarness) =>
  (await harness.sizes()).segments.map(({ id, count }) => ({ id, count }));

const nextOf = (link: string | null): Record<string, string> | undefined =>
  link === null ? undefined : Object.fromEntries(new URL(link).searchParams);

describe('the list of segments by size', () => {
  it('is empty before the first measurement', async () => {
    expect(await sizesHarness().sizes()).toEqual({ segments: [], as_of: null, paging: { next_page: null } });
  });

  it('holds every segment with its exact size, however they change', async () => {
    const harness = sizesHarness();
    const choose = seeded(1);
    const uses = referencesHarness(harness.fixture.table);
    const readable = [everyone];
    for (let round = 0; round < 40; round += 1) {
      for (let n = choose(4); n > 0; n -= 1) {
        const ordinals = Array.from({ length: 1 + choose(4) }, () => choose(3 * ORDINALS_PER_GROUP));
        readable.push(await harness.tag(`t${choose(12)}`, ordinals));
      }
      const [one = 0, other = 0] = [readable[choose(readable.length)], readable[choose(readable.length)]];
      if (choose(4) === 0) await uses.makeSegment({ all: [one, { not: other }] });
      if (choose(6) === 0) {
        const moment = await harness.fixture.moment(`m${round}`, [choose(100), 100 + choose(100)]);
        await harness.fixture.table.put(keys.moment(property, moment), { segment: moment });
      }
      harness.time.now += choose(20) * MINUTE_MS;
      expect(await harness.measure()).toBe('done');
      expect(await shown(harness)).toEqual(await exact(harness));
      expect((await harness.sizes()).as_of).toBe(new Date(harness.time.now).toISOString());
    }
  });

  it('counts a change that a process noted in one quarter of an hour and wrote in the next', async () => {
    const harness = sizesHarness();
    await harness.tag('t', [1]);
    harness.time.now += 14 * MINUTE_MS;
    await harness.measure();
    // The process remembers its note of this quarter and writes no other note.
    await harness.tag('t', [2]);
    for (const minutes of [2, 15]) {
      harness.time.now += minutes * MINUTE_MS;
      await harness.measure();
      expect(await shown(harness)).toEqual(await exact(harness));
    }
  });

  it('counts a change that a process with a fast clock noted in the next quarter of an hour', async () => {
    const harness = sizesHarness();
    await harness.tag('t', [1]);
    harness.time.now += 74.75 * MINUTE_MS;
    await harness.measure();
    harness.time.now += MINUTE_MS / 2;
    await harness.tag('t', [2]);
    harness.time.now -= MINUTE_MS / 2;
    await harness.measure();
    expect(await shown(harness)).toEqual(await exact(harness));
  });

  it('omits replaced and deleted custom segments at once', async () => {
    const harness = sizesHarness();
    const uses = referencesHarness(harness.fixture.table);
    const tag = await harness.tag('t', [1, 2]);
    const [old, gone] = [await uses.makeSegment({ not: tag }), await uses.makeSegment({ any: [tag] })];
    await harness.measure();
    expect((await shown(harness)).map(({ id }) => id)).toContain(gone.id);
    await uses.editSegment(old.id ?? 0, tag);
    await uses.deleteSegment(gone.id ?? 0);
    expect((await shown(harness)).map(({ id }) => id).sort()).toEqual([everyone, tag]);
    await harness.measure();
    expect(await shown(harness)).toEqual(await exact(harness));
  });

  it('shows one snapshot to a walk of any page size during a new measurement, then resumes the walk in the newest snapshot', async () => {
    const harness = sizesHarness();
    for (let n = 0; n < 30; n += 1) await harness.tag(`t${n}`, [...Array(1 + (n % 4)).keys()]);
    await harness.measure();
    const all = await shown(harness);
    for (const limit of [1, 7, 1_000]) {
      const seen: { readonly id: number; readonly count: number }[] = [];
      let query: Record<string, string> | undefined = { limit: String(limit) };
      for (let pages = 0; query; pages += 1) {
        const { segments, paging } = await harness.sizes(query);
        seen.push(...segments.map(({ id, count }) => ({ id, count })));
        query = nextOf(paging.next_page);
        if (pages === 2) {
          await harness.tag('t0', [5_000 + limit, 6_000 + limit]);
          await harness.measure();
        }
      }
      if (limit === 7) expect(seen).toHaveLength(31);
      if (limit === 1) expect(seen).toEqual(all);
    }
    const link = nextOf((await harness.sizes({ limit: '30' })).paging.next_page) ?? {};
    for (let n = 0; n < 6; n += 1) {
      await harness.tag('t0', [7_000 + n]);
      await harness.measure();
    }
    expect((await harness.sizes(link)).segments).toHaveLength(1);
  });

  it('refuses a forged cursor', async () => {
    const harness = sizesHarness();
    await harness.tag('t', [1]);
    await harness.measure();
    const { cursor = '' } = nextOf((await harness.sizes({ limit: '1' })).paging.next_page) ?? {};
    for (const forged of ['AAAA', `${cursor}A`, cursor.replace(/^./, (at) => (at === 'A' ? 'B' : 'A'))])
      expect(await harness.page({ cursor: forged })).toBe(400);
  });
});

describe('the measuring job', () => {
  const reads = ({ fixture }: SizesHarness): Readonly<Record<string, number>> => {
    const kinds = fixture.operations
      .splice(0)
      .flatMap(({ keys: read }) => read.map(({ pk }) => kindOfKey(pk)));
    return Object.fromEntries(
      [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]),
    );
  };

  it('reads the chunks of changed segments only, while the list reads no chunk', async () => {
    const harness = sizesHarness();
    for (let n = 0; n < 20; n += 1) await harness.tag(`t${n}`, [1, ORDINALS_PER_GROUP + 1]);
    await harness.measure();
    harness.time.now += 60 * MINUTE_MS;
    await harness.measure();
    harness.time.now += 60 * MINUTE_MS;
    await harness.tag('t3', [2]);
    reads(harness);
    await harness.measure();
    // One group of the tag, and one group of everyone.
    expect(reads(harness)['chunk']).toBe(2);
    await harness.measure();
    reads(harness);
    await harness.sizes();
    expect(reads(harness)).not.toHaveProperty('chunk');
  });

  it('resumes where the last run ran out of time', async () => {
    const harness = sizesHarness();
    for (let n = 0; n < 120; n += 1) await harness.tag(`t${n}`, [n]);
    let calls = 1;
    for (; ; calls += 1) {
      let batches = 1;
      if ((await harness.measure(() => (batches -= 1) >= 0)) === 'done') break;
      expect(calls).toBeLessThan(10);
    }
    expect(calls).toBe(3);
    expect(await shown(harness)).toEqual(await exact(harness));
  });

  it('is done by one of two concurrent runs, and the list is correct', async () => {
    const harness = sizesHarness();
    for (let n = 0; n < 10; n += 1) await harness.tag(`t${n}`, [n]);
    const outcomes = await Promise.all([harness.measure(), harness.measure()]);
    expect(outcomes).toContain('late');
    if (!outcomes.includes('done')) await harness.measure();
    expect(await shown(harness)).toEqual(await exact(harness));
  });
});

describe('a measuring job that was switched off', () => {
  it('counts everything again if it was off for longer than notes are kept', async () => {
    const harness = sizesHarness();
    const { fixture, time, tag, measure } = harness;
    await tag('a', [0]);
    await measure();
    time.now += 86_400_000;
    await tag('b', [1]);
    // The job is switched off for ten days. DynamoDB removes expired items meanwhile.
    time.now += 10 * 86_400_000;
    for (const { pk, sk, ttl } of fixture.table.items())
      if (typeof ttl === 'number' && ttl * 1000 < time.now)
        await fixture.table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
    await measure();
    expect(await shown(harness)).toEqual(await exact(harness));
  });
});
