import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { randomSource, type RandomSource } from '../schedules/random.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { fileOf, path, ref, runJob } from './steps.ts';
import { bodyOf, exportsWorld, type ExportsWorld, profile, PROPERTY, segment } from './world.ts';

const STEPS = 60;
const PEOPLE = 400;
const MINUTE = 60_000;

const jobRef = (n: number) => ({ ...ref, job: scopedId(PROPERTY, n) });

/** Runs the newest job of the export, asked for before unless it is the first one. Returns its rows as objects. */
const runNext = async (world: ExportsWorld, n: number): Promise<readonly Record<string, string>[]> => {
  if (n > 1) bodyOf(await world.runAgain(path));
  await runJob(world, jobRef(n));
  return objectsOf(await fileOf(world, ',', jobRef(n)));
};

const objectsOf = ({ rows }: { readonly rows: string[][] }): readonly Record<string, string>[] => {
  const [header = [], ...lines] = rows;
  return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])));
};

/** Stores a person now. */
const put = (world: ExportsWorld, ordinal: number, version: number): void => {
  const fields = { email: `p${ordinal}@example.test`, first_name: `v${version}` };
  const extra = { [`key${version % 3}`]: version };
  world.world.profiles.set(ordinal, profile(ordinal, { fields, extra, updatedAt: world.world.now }));
};

describe('delta exports', () => {
  it('tell everybody first, then who was added, changed and removed, by identities only', async () => {
    const world = exportsWorld();
    for (const ordinal of [1, 2, 3, 4, 5]) put(world, ordinal, 1);
    world.world.members.set(segment(2), [1, 2, 3, 4]);
    world.world.now += 60 * MINUTE;
    bodyOf(await world.create({ segment: [segment(2)], scope: 'delta' }));
    const first = await runNext(world, 1);
    expect(first.map(({ change, email }) => `${change} ${email?.slice(0, 2)}`)).toEqual(
      [1, 2, 3, 4].map((n) => `added p${n}`),
    );
    world.world.now += 60 * MINUTE;
    put(world, 2, 2);
    world.world.members.set(segment(2), [1, 2, 5]);
    world.world.profiles.delete(4);
    const second = await runNext(world, 2);
    expect(second).toMatchObject([
      { change: 'changed', email: 'p2@example.test', first_name: 'v2' },
      { change: 'removed', email: 'p3@example.test', first_name: '', 'extra_data.key1': '' },
      { change: 'added', email: 'p5@example.test', first_name: 'v1' },
    ]);
    const removed = Object.entries(second[1] ?? {}).filter(([, cell]) => cell !== '');
    expect(removed.map(([name]) => name)).toEqual(['change', 'email', 'profile_uuid']);
    expect(JSON.stringify(second)).not.toContain('p4@');
    expect(bodyOf(await world.readJob({ ...path, job_id: String(jobRef(2).job) }))).toMatchObject({
      delta_from: String(ref.job),
      rows: 3,
      rows_skipped: 1,
    });
  });

  it('tell everybody again after the definition was replaced, and after a job that failed count from the one before', async () => {
    const world = exportsWorld();
    for (const ordinal of [1, 2]) put(world, ordinal, 1);
    world.world.members.set(segment(2), [1, 2]);
    world.world.now += 60 * MINUTE;
    const body = { segment: [segment(2)], scope: 'delta', field_set: 'email' };
    bodyOf(await world.create(body));
    expect(await runNext(world, 1)).toHaveLength(2);
    world.world.now += 60 * MINUTE;
    bodyOf(await world.runAgain(path));
    await world.plan(jobRef(2));
    await world.fail(jobRef(2), 'x');
    world.world.members.set(segment(2), [2]);
    expect(await runNext(world, 3)).toEqual([{ change: 'removed', email: 'p1@example.test' }]);
    bodyOf(await world.replace(path, body));
    expect(await runNext(world, 4)).toEqual([{ change: 'added', email: 'p2@example.test' }]);
  });

  it.each([1, 2, 3])('replayed over a random history rebuild the full export (seed %i)', async (seed) => {
    const history = new History(seed);
    const { world } = history;
    const dates = seed === 3 ? { start_date: '2026-06-01', end_date: '2026-06-02' } : {};
    const [delta, full] = [await history.export('delta', dates), await history.export('full', dates)];
    const kept = new Map<string, string>();
    for (let step = 0; step < STEPS; step += 1) {
      history.goOn();
      // In every other step people change between the plan of the delta and its rows.
      const rows = await history.run(delta, step % 2 === 0 ? () => history.goOn() : undefined);
      for (const row of rows) {
        if (row['change'] === 'removed') kept.delete(uuidIn(row));
        else kept.set(uuidIn(row), contentOf(row));
      }
      // A delta has no row for a forgotten person: receivers drop the row when they learn of the request.
      const known = new Set([...world.world.profiles.keys()].map((n) => sealOrdinal(world.keys.uuid, n)));
      for (const uuid of kept.keys()) if (!known.has(uuid)) kept.delete(uuid);
      if (step % 2 === 0) continue;
      const expected = (await history.run(full)).map((row) => [uuidIn(row), contentOf(row)] as const);
      expect([...kept].sort()).toEqual(expected.toSorted());
    }
  });
});

const uuidIn = (row: Readonly<Record<string, string>>): string => row['profile_uuid'] ?? '';

/** The identity in a row, whatever columns the file has. */
const contentOf = (row: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name, cell]) => name !== 'change' && cell !== '')
      .toSorted(),
  );

const created = v.looseObject({ id: v.pipe(v.string(), v.transform(Number)) });

/** People who are stored, join and leave a segment and are forgotten, and exports of the segment. */
class History {
  readonly world = exportsWorld();
  readonly #members = new Set<number>();
  readonly #random: RandomSource;

  constructor(seed: number) {
    this.#random = randomSource(seed);
    this.world.world.members.set(segment(2), []);
  }

  /** A definition with a schedule, so that no job has run yet. */
  async export(scope: string, dates: object): Promise<number> {
    const body = { segment: [segment(2)], scope, schedule: { hour: '3' }, ...dates };
    return v.parse(created, bodyOf(await this.world.create(body))).id;
  }

  goOn(): void {
    for (let event = this.#random.below(40); event >= 0; event -= 1) this.#happen();
    this.world.world.members.set(
      segment(2),
      [...this.#members].toSorted((a, b) => a - b),
    );
  }

  /** Runs an export and returns its rows. */
  async run(id: number, meanwhile?: () => void): Promise<readonly Record<string, string>[]> {
    const { world } = this;
    const { id: job } = v.parse(created, bodyOf(await world.runAgain({ export_id: String(id) })));
    const ref = { property: PROPERTY, export: id, job };
    const { shards } = await world.plan(ref);
    meanwhile?.();
    for (const { shard } of shards) await world.part(ref, shard);
    await world.assemble(ref);
    return objectsOf(await fileOf(world, ',', ref));
  }

  #happen(): void {
    const ordinal = this.#random.below(PEOPLE);
    this.world.world.now += this.#random.below(12) * MINUTE;
    if (this.#random.below(12) === 0) {
      this.world.world.profiles.delete(ordinal);
      this.#members.delete(ordinal);
      return;
    }
    put(this.world, ordinal, this.#random.below(1_000));
    if (this.#random.below(3) === 0) this.#members.delete(ordinal);
    else this.#members.add(ordinal);
  }
}
