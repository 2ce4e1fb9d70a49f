import { describe, expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { property } from '../segments/fixture.ts';
import { dyingAnywhere } from '../support/death.ts';
import { behind, clearUpMoments, HOUR, taggedPeople } from './harness.ts';

const LINKS = `https://tidemark.test/v2/properties/${property}/segments/`;
const RACERS = 100;

type Harness = Awaited<ReturnType<typeof taggedPeople>>;

const statuses = (told: readonly { readonly status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(told, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

/** The stored moments: lists and ids show the same moments, and each is complete. */
const expectWhole = async ({ harness }: Harness, timeline: number): Promise<readonly number[]> => {
  const reader = harness();
  const { moments } = await reader.counted(timeline);
  for (const { id, links, count } of moments) {
    expect(await behind(reader, property, links.profiles)).toEqual([0, 1, 5_000]);
    expect(count).toBe(3);
    expect(await reader.deps.catalogue.get(property, id)).toMatchObject({ type: 'moment' });
  }
  const shown = moments.map(({ id }) => id);
  const { items: segments } = await reader.deps.catalogue.list(property, { limit: 1_000 });
  const listed = segments.filter(({ type }) => type === 'moment').map(({ id }) => id);
  expect(listed).toEqual(shown);
  return shown;
};

/** After a while nothing is left of moments that did not come. */
const expectCleared = async ({ table, clock }: Harness, moments: readonly number[]): Promise<void> => {
  clock.now += HOUR;
  await clearUpMoments({ table, clock: () => clock.now });
  expect(await clearUpMoments({ table, clock: () => clock.now })).toBe(0);
  const partitions = new Set(moments.map((id) => keys.directory(property, id).pk));
  const chunks = new Set(
    moments.flatMap((id) => [0, 1].map((group) => keys.chunk(property, id, group, 0).pk)),
  );
  for (const { pk, sk, ...item } of table.items()) {
    expect(pk).not.toMatch(/^TASKS#/);
    if (pk === keys.moments(property)) expect(moments).toContain(item['segment']);
    if (item['type'] === 'moment') expect(moments).toContain(item['id']);
    if (item['members'] !== undefined && Number(pk.split('#')[3]) > Math.min(...moments))
      expect(chunks).toContain(pk);
    if (sk === 'DIRECTORY' && Number(pk.split('#')[3]) > Math.min(...moments))
      expect(partitions).toContain(pk);
  }
};

describe('racers', () => {
  it(`${RACERS} who ask for a moment at once: one gets it, the others are told to wait`, async () => {
    const at = await taggedPeople();
    const { id } = await at.harness().created('t', at.tag);
    at.clock.now += HOUR;
    const told = await Promise.all(Array.from({ length: RACERS }, () => at.harness().add(id)));
    expect(statuses(told)).toEqual({ 201: 1, 429: RACERS - 1 });
    for (const { status, headers } of told)
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
    expect(await expectWhole(at, id)).toHaveLength(2);
    await expectCleared(at, await expectWhole(at, id));
  });

  it(`${RACERS} who claim a name at once: one gets it`, async () => {
    const at = await taggedPeople();
    const told = await Promise.all(
      Array.from({ length: RACERS }, (_, n) => at.harness().create(n % 2 === 0 ? 'Name' : 'name ', at.tag)),
    );
    expect(statuses(told)).toEqual({ 201: 1, 409: RACERS - 1 });
    const { timelines } = await at.harness().list();
    expect(timelines).toHaveLength(1);
    await expectCleared(at, await expectWhole(at, timelines[0]?.id ?? 0));
  });

  it(`${RACERS} moments of ${RACERS} timelines at once all come`, async () => {
    const at = await taggedPeople();
    const made = await Promise.all(
      Array.from({ length: RACERS }, (_, n) => at.harness().created(`t${n}`, at.tag)),
    );
    at.clock.now += HOUR;
    const told = await Promise.all(made.map(({ id }) => at.harness().add(id)));
    expect(statuses(told)).toEqual({ 201: RACERS });
  });
});

/** Runs `act` beside a timeline of an hour, killed at its first operation, at its second, and so on until it gets through. */
const killedEverywhere = (
  act: (at: Harness, timeline: number) => Promise<unknown>,
  check: (at: Harness, timeline: number) => Promise<void>,
  before: (at: Harness, timeline: number) => Promise<void> = () => Promise.resolve(),
): Promise<number> =>
  dyingAnywhere({
    begin: async (tick) => {
      const at = await taggedPeople();
      const { id } = await at.harness().created('t', at.tag);
      at.clock.now += HOUR;
      await before(at, id);
      at.fixture.before = tick;
      return { at, id };
    },
    run: ({ at, id }) => act(at, id),
    check: ({ at, id }) => check(at, id),
  });

describe('killed at any operation', () => {
  it('a moment has come whole or not at all, the next try succeeds at once, and nothing is left', async () => {
    const counts = new Set<number>();
    await killedEverywhere(
      ({ harness }, id) => harness().add(id),
      async (at, id) => {
        const { length } = await expectWhole(at, id);
        counts.add(length);
        const before = at.clock.now;
        const { status, headers } = await at.harness().add(id);
        expect(status).toBe(length === 1 ? 201 : 429);
        if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(3_590);
        expect(at.clock.now - before).toBeLessThanOrEqual(3_100);
        expect(await expectWhole(at, id)).toHaveLength(2);
        at.clock.now += HOUR;
        expect((await at.harness().add(id)).status).toBe(201);
        const whole = await expectWhole(at, id);
        expect(whole).toHaveLength(3);
        await expectCleared(at, whole);
        expect(await expectWhole(at, id)).toEqual(whole);
      },
    );
    expect(counts).toEqual(new Set([1, 2]));
  });

  it('a timeline is there whole or not at all, and its name is not stuck', async () => {
    const counts = new Set<number>();
    await killedEverywhere(
      ({ harness, tag }) => harness().create('new', tag),
      async (at, old) => {
        const { timelines } = await at.harness().list();
        counts.add(timelines.length);
        const before = at.clock.now;
        const { status } = await at.harness().create('NEW', at.tag);
        expect(status).toBe(timelines.length === 1 ? 201 : 409);
        expect(at.clock.now - before).toBeLessThanOrEqual(3_100);
        const all = (await at.harness().list()).timelines;
        expect(all).toHaveLength(2);
        const moments = all.flatMap((one) => one.moments.map(({ id }) => id));
        await expectCleared(at, moments);
        for (const { id } of all) expect((await at.harness().remove(id)).status).toBe(200);
        expect((await at.harness().create('new', at.tag)).status).toBe(201);
        expect(old).toBe(all[0]?.id);
      },
    );
    expect(counts).toEqual(new Set([1, 2]));
  });

  it('a timeline is deleted when it is deleted again, and its moments stay', async () => {
    await killedEverywhere(
      ({ harness }, id) => harness().remove(id),
      async (at, id) => {
        const shown = (await at.harness().list()).timelines.length;
        expect((await at.harness().remove(id)).status).toBe(shown === 1 ? 200 : 404);
        expect((await at.harness().create('t', at.tag)).status).toBe(201);
        const { items: segments } = await at.harness().deps.catalogue.list(property, { limit: 1_000 });
        const moments = segments.filter(({ type }) => type === 'moment');
        expect(moments).toHaveLength(2);
        for (const moment of moments)
          expect(await behind(at.harness(), property, `${LINKS}${moment.id}/profiles`)).toEqual([
            0, 1, 5_000,
          ]);
      },
    );
  });

  it('clearing up goes on where it stopped', async () => {
    for (let killed = 5; killed < 30; killed += 6) {
      await killedEverywhere(
        ({ table, clock }) => clearUpMoments({ table, clock: () => clock.now }),
        async (at, id) => {
          await expectCleared(at, await expectWhole(at, id));
        },
        async (at, id) => {
          let left = killed;
          at.fixture.before = () => {
            if (left <= 0) throw new Error('killed');
            left -= 1;
          };
          await at
            .harness()
            .add(id)
            .catch(() => undefined);
          at.clock.now += HOUR;
        },
      );
    }
  });
});
