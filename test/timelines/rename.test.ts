import { describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { seeded, TurnTable } from '../ingest/interleave.ts';
import { property } from '../segments/fixture.ts';
import { dyingAnywhere } from '../support/death.ts';
import { HOUR, START, timelineHarness, taggedPeople } from './harness.ts';
import { casesOf } from '../support/scale.ts';
import { readsOf } from '../support/profile-reads.ts';

const setUp = () => taggedPeople([0]);

const namesOf = async (harness: ReturnType<typeof timelineHarness>): Promise<readonly string[]> =>
  (await harness.list()).timelines.map(({ name }) => name).sort();

const taken = { status: 409, code: 'duplicate_name' };

describe('a timeline', () => {
  it('gets another name, and its old name is free', async () => {
    const { harness, tag } = await setUp();
    const { moments, ...facts } = await harness().created('Jazz', tag);
    expect(await harness().rename(facts.id, 'Blues')).toMatchObject({
      status: 200,
      body: { ...facts, name: 'Blues' },
    });
    expect(await namesOf(harness())).toEqual(['Blues']);
    expect(await harness().create('blues', tag)).toMatchObject(taken);
    expect(await harness().create('jazz', tag)).toMatchObject({ status: 201 });
    expect(await harness().rename(facts.id, ' JAZZ')).toMatchObject(taken);
    expect(await namesOf(harness())).toEqual(['Blues', 'jazz']);
    expect(moments).toHaveLength(1);
  });

  it('gets its own name in another case, space or Unicode form', async () => {
    const { harness, tag } = await setUp();
    const { id } = await harness().created('caf\u00e9', tag);
    for (const name of ['CAF\u00c9', 'cafe\u0301', 'caf\u00e9', 'caf\u00e9'])
      expect(await harness().rename(id, name)).toMatchObject({ status: 200, body: { name } });
    expect(await harness().create('Caf\u00e9', tag)).toMatchObject(taken);
  });

  it('keeps the names of its moments, and names the next ones anew', async () => {
    const { harness, clock, tag } = await setUp();
    const { id } = await harness().created('Jazz', tag);
    await harness().rename(id, 'Blues');
    clock.now += HOUR;
    await harness().added(id);
    const { moments } = await harness().counted(id);
    expect(moments.map(({ name }) => name.split(' ')[0])).toEqual(['Jazz', 'Blues']);
    for (const moment of moments) {
      const segment = await harness().deps.catalogue.get(property, moment.id);
      expect(segment?.name).toBe(moment.name);
    }
  });

  it('that is unknown or deleted is 404', async () => {
    const { harness, tag } = await setUp();
    const { id } = await harness().created('Jazz', tag);
    expect(await harness().rename(id + 1, 'Blues')).toMatchObject({ status: 404 });
    await harness().remove(id);
    expect(await harness().rename(id, 'Blues')).toMatchObject({ status: 404 });
    expect(await harness().create('Blues', tag)).toMatchObject({ status: 201 });
  });
});

describe('a renaming that dies', () => {
  it('at any operation has happened or not, and the other name is free', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = await setUp();
        const { id } = await scene.harness().created('Jazz', scene.tag);
        scene.fixture.before = tick;
        return { ...scene, id };
      },
      run: ({ harness, id }) => harness().rename(id, 'Blues'),
      check: async ({ harness, tag, clock, id }) => {
        const [name = ''] = await namesOf(harness());
        const other = name === 'Jazz' ? 'Blues' : 'Jazz';
        expect(['Jazz', 'Blues']).toContain(name);
        clock.now += 4_000;
        expect(await harness().create(name, tag)).toMatchObject(taken);
        expect(await harness().create(other, tag)).toMatchObject({ status: 201 });
        expect(await harness().rename(id, 'Blues')).toMatchObject(name === 'Blues' ? { status: 200 } : taken);
        expect(await namesOf(harness())).toEqual(['Blues', 'Jazz']);
      },
    }));
});

const PLAYS = casesOf('RENAME_PLAYS', { full: 300, sample: 60 });

describe('many who name at once, some of them killed or frozen', () => {
  it(`leave each name to one timeline, in ${PLAYS} plays`, async () => {
    for (let seed = 1; seed <= PLAYS; seed += 1) {
      const choose = seeded(seed);
      const table = new TurnTable();
      const clock = { now: START };
      const pause = (): Promise<void> => {
        clock.now += 200;
        return Promise.resolve();
      };
      const readProfiles = readsOf(() => undefined);
      const harness = () => timelineHarness({ property, table, readProfiles, clock, pause });
      const everyone = everyoneId(property);
      const names = ['a', 'b', 'c'];
      const ids: number[] = [];
      for (const name of ['a', 'b']) ids.push((await harness().created(name, everyone)).id);
      const pick = <T>(of: readonly T[]): T | undefined => of[choose(of.length)];
      for (let round = 0; round < 3; round += 1) {
        const actors = Array.from({ length: 4 }, () => {
          const [id, name] = [pick(ids) ?? 0, pick(names) ?? ''];
          if (choose(5) === 0) return () => harness().create(name, everyone);
          return choose(8) === 0 ? () => harness().remove(id) : () => harness().rename(id, name);
        });
        const tick = (count: number): number => {
          clock.now += choose(1_500);
          return choose(count);
        };
        await table.interleave(actors, tick, choose(3) === 0 ? 20 : Infinity);
        const shown = await namesOf(harness());
        expect({ seed, shown }).toEqual({ seed, shown: [...new Set(shown)] });
      }
      // A name that no timeline holds is free.
      clock.now += 10_000;
      const shown = await namesOf(harness());
      for (const name of names)
        expect({ seed, name, ...(await harness().create(name, everyone)) }).toMatchObject({
          seed,
          status: shown.includes(name) ? 409 : 201,
        });
    }
  });
});

describe('a moment', () => {
  it('is read alone, with the counts that its timeline shows', async () => {
    const { harness, clock, tag, fixture } = await setUp();
    const { id } = await harness().created('Jazz', tag);
    clock.now += HOUR;
    await fixture.put([[1, { tags: ['a'] }]], ['a']);
    await harness().added(id);
    const { moments } = await harness().counted(id);
    expect(moments.map(({ count }) => count)).toEqual([1, 2]);
    for (const moment of moments)
      expect(await harness().moment(id, moment.id)).toMatchObject({ status: 200, body: moment });
  });

  it('of another timeline, or unknown, is 404', async () => {
    const { harness, tag } = await setUp();
    const [one, two] = [await harness().created('Jazz', tag), await harness().created('Blues', tag)];
    const [moment] = two.moments;
    expect(await harness().moment(two.id, moment?.id ?? 0)).toMatchObject({ status: 200 });
    for (const [timeline, segment] of [
      [one.id, moment?.id ?? 0],
      [one.id, tag],
      [one.id + 9, moment?.id ?? 0],
    ] as const)
      expect(await harness().moment(timeline, segment)).toMatchObject({ status: 404 });
  });
});
