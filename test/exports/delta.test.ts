import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { randomSource, type RandomSource } from '../schedules/random.ts';
import { keys } from '../../shared/table/keys.ts';
import { answered, columnsOf, fileOf, forget, jobPath, jobRef, path, ref, runNext } from './steps.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, PROPERTY, segment } from './harness.ts';
import { casesOf } from '../support/scale.ts';

const STEPS = casesOf('DELTA_STEPS', { full: 60, sample: 16 });
const PEOPLE = 400;
const MINUTE = 60_000;
const columns = columnsOf('profile_uuid', 'email');

/** Runs the newest job of the export, asked for before unless it is the first one. Returns its rows as objects. */
const rowsOf = async (harness: ExportsHarness, n: number): Promise<readonly Record<string, string>[]> => {
  await runNext(harness, n);
  return objectsOf(await fileOf(harness, ',', jobRef(n)));
};

const objectsOf = ({ rows }: { readonly rows: string[][] }): readonly Record<string, string>[] => {
  const [header = [], ...lines] = rows;
  return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])));
};

/** Stores a person now. */
const put = (harness: ExportsHarness, ordinal: number, version: number): void => {
  const fields = { email: `p${ordinal}@example.test`, first_name: `v${version}` };
  const extra = { [`key${version % 3}`]: version };
  harness.fakes.profiles.set(ordinal, profile(ordinal, { fields, extra, updatedAt: harness.fakes.now }));
};

describe('delta exports', () => {
  it('tell everybody first, then who was added, changed and removed, by identities only', async () => {
    const harness = exportsHarness();
    for (const ordinal of [1, 2, 3, 4, 5]) put(harness, ordinal, 1);
    harness.fakes.members.set(segment(2), [1, 2, 3, 4]);
    harness.fakes.now += 60 * MINUTE;
    bodyOf(await harness.create({ segment: [segment(2)], scope: 'delta' }));
    const first = await rowsOf(harness, 1);
    expect(first.map(({ change, email }) => `${change} ${email?.slice(0, 2)}`)).toEqual(
      [1, 2, 3, 4].map((n) => `added p${n}`),
    );
    harness.fakes.now += 60 * MINUTE;
    put(harness, 2, 2);
    harness.fakes.members.set(segment(2), [1, 2, 5]);
    harness.fakes.profiles.delete(4);
    const second = await rowsOf(harness, 2);
    expect(second).toMatchObject([
      { change: 'changed', email: 'p2@example.test', first_name: 'v2' },
      { change: 'removed', email: 'p3@example.test', first_name: '', 'extra_data.key1': '' },
      { change: 'removed', email: '', profile_uuid: sealOrdinal(harness.keys.uuid, 4) },
      { change: 'added', email: 'p5@example.test', first_name: 'v1' },
    ]);
    const removed = Object.entries(second[1] ?? {}).filter(([, cell]) => cell !== '');
    expect(removed.map(([name]) => name)).toEqual(['change', 'email', 'profile_uuid']);
    expect(JSON.stringify(second)).not.toContain('p4@');
    expect(bodyOf(await harness.readJob(jobPath(2)))).toMatchObject({
      delta_from: String(ref.job),
      rows: 4,
      rows_skipped: 0,
    });
  });

  it('tell everybody again after the definition was replaced, and after a job that failed count from the one before', async () => {
    const harness = exportsHarness();
    for (const ordinal of [1, 2]) put(harness, ordinal, 1);
    harness.fakes.members.set(segment(2), [1, 2]);
    harness.fakes.now += 60 * MINUTE;
    const body = { segment: [segment(2)], scope: 'delta', field_set: 'email' };
    bodyOf(await harness.create(body));
    expect(await rowsOf(harness, 1)).toHaveLength(2);
    harness.fakes.now += 60 * MINUTE;
    bodyOf(await harness.runAgain(path));
    await harness.plan(jobRef(2));
    await harness.fail(jobRef(2), 'x');
    harness.fakes.members.set(segment(2), [2]);
    expect(await rowsOf(harness, 3)).toEqual([{ change: 'removed', email: 'p1@example.test' }]);
    bodyOf(await harness.replace(path, body));
    expect(await rowsOf(harness, 4)).toEqual([{ change: 'added', email: 'p2@example.test' }]);
  });

  it.each([
    ['ended long before the last job', -6_000, 'changed'],
    ['may have ended after the last job, by clocks that differ', -5_000, 'added'],
    ['ended after the last job', 1, 'added'],
    ['has not ended', Number.POSITIVE_INFINITY, 'added'],
  ])(
    'tell everybody again, unless the newest undo had ended before the last job: it %s',
    async (_, ended, change) => {
      const harness = exportsHarness();
      for (const ordinal of [1, 2]) put(harness, ordinal, 1);
      harness.fakes.members.set(segment(2), [1, 2]);
      bodyOf(await harness.create({ segment: [segment(2)], scope: 'delta', field_set: 'email' }));
      await rowsOf(harness, 1);
      harness.fakes.undone = harness.fakes.now + ended;
      harness.fakes.now += 60 * MINUTE;
      put(harness, 1, 2);
      harness.fakes.profiles.set(2, profile(2, { updatedAt: harness.fakes.now }));
      harness.fakes.members.set(segment(2), [1]);
      expect(await rowsOf(harness, 2)).toEqual([{ change, email: 'p1@example.test' }]);
      // The next one builds on a file that is newer than the undo.
      harness.fakes.now += 60 * MINUTE;
      const again = Number.isFinite(ended) ? 'changed' : 'added';
      expect(await rowsOf(harness, 3)).toEqual([{ change: again, email: 'p1@example.test' }]);
    },
  );

  it.each([-6_000, 1, Number.POSITIVE_INFINITY])(
    'go on after an undo, and say who is gone, if they have UUIDs (%d ms after the last job)',
    async (ended) => {
      const harness = exportsHarness();
      for (const ordinal of [1, 2, 3]) put(harness, ordinal, 1);
      harness.fakes.now += 60 * MINUTE;
      harness.fakes.members.set(segment(2), [1, 2, 3]);
      bodyOf(await harness.create({ segment: [segment(2)], scope: 'delta', ...columns }));
      await rowsOf(harness, 1);
      harness.fakes.undone = harness.fakes.now + ended;
      harness.fakes.now += 60 * MINUTE;
      // An undo leaves a profile without identities, or none.
      harness.fakes.profiles.set(1, profile(1, { fields: { email: null }, updatedAt: harness.fakes.now }));
      harness.fakes.profiles.delete(3);
      harness.fakes.members.set(segment(2), [2]);
      expect(await rowsOf(harness, 2)).toEqual(
        [1, 3].map((n) => ({
          change: 'removed',
          profile_uuid: sealOrdinal(harness.keys.uuid, n),
          email: '',
        })),
      );
      expect(bodyOf(await harness.readJob(jobPath(2)))).toMatchObject({ rows: 2, rows_skipped: 0 });
    },
  );

  it.each([
    [
      'without UUIDs tell everybody again',
      { field_set: 'email' },
      [{ change: 'added', email: 'p2@example.test' }],
    ],
    ['with UUIDs say so', columns, [{ change: 'removed', email: '' }]],
  ] as const)('after somebody was forgotten %s', async (_, format, expected) => {
    const harness = exportsHarness();
    harness.fakes.send = () => Promise.resolve(answered(204));
    for (const ordinal of [1, 2]) put(harness, ordinal, 1);
    harness.fakes.now += 60 * MINUTE;
    harness.fakes.members.set(segment(2), [1, 2]);
    const webhook_url = 'https://hooks.example.com';
    bodyOf(await harness.create({ segment: [segment(2)], scope: 'delta', webhook_url, ...format }));
    await rowsOf(harness, 1);
    await harness.deliver(jobRef(1));
    harness.fakes.now += 60 * MINUTE;
    await forget(harness, 1);
    harness.fakes.now += 60 * MINUTE;
    harness.fakes.members.set(segment(2), [2]);
    expect(await rowsOf(harness, 2)).toMatchObject(expected);
    expect(await rowsOf(harness, 3)).toEqual([]);
  });

  it('tell everybody again after the table was restored, once', async () => {
    const harness = exportsHarness();
    put(harness, 1, 1);
    harness.fakes.now += 60 * MINUTE;
    harness.fakes.members.set(segment(2), [1]);
    bodyOf(await harness.create({ segment: [segment(2)], scope: 'delta', ...columns }));
    await rowsOf(harness, 1);
    harness.fakes.now += 60 * MINUTE;
    const restored = new Date(harness.fakes.now).toISOString();
    const key = keys.counter(PROPERTY, 'export-job');
    await harness.table.write({ kind: 'update', key, set: { raised: restored }, expect: {} });
    harness.fakes.now += 60 * MINUTE;
    expect(await rowsOf(harness, 2)).toMatchObject([{ change: 'added' }]);
    expect(await rowsOf(harness, 3)).toEqual([]);
  });

  it('tell everybody again if an undo begins while the members are read', async () => {
    let begins = false;
    const harness = exportsHarness({
      before: (operation) => {
        if (begins && operation === 'members') harness.fakes.undone = Number.POSITIVE_INFINITY;
      },
    });
    put(harness, 1, 1);
    harness.fakes.members.set(segment(2), [1]);
    bodyOf(await harness.create({ segment: [segment(2)], scope: 'delta', field_set: 'email' }));
    await rowsOf(harness, 1);
    begins = true;
    expect(await rowsOf(harness, 2)).toEqual([{ change: 'added', email: 'p1@example.test' }]);
  });

  it.each([1, 2, 3])('replayed over a random history rebuild the full export (seed %i)', async (seed) => {
    const history = new History(seed);
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
  readonly harness = exportsHarness();
  readonly #members = new Set<number>();
  readonly #random: RandomSource;

  constructor(seed: number) {
    this.#random = randomSource(seed);
    this.harness.fakes.members.set(segment(2), []);
  }

  /** A definition with a schedule, so that no job has run yet. */
  async export(scope: string, dates: object): Promise<number> {
    const body = { segment: [segment(2)], scope, schedule: { hour: '3' }, ...dates };
    return v.parse(created, bodyOf(await this.harness.create(body))).id;
  }

  goOn(): void {
    for (let event = this.#random.below(40); event >= 0; event -= 1) this.#happen();
    this.harness.fakes.members.set(
      segment(2),
      [...this.#members].toSorted((a, b) => a - b),
    );
  }

  /** Runs an export and returns its rows. */
  async run(id: number, meanwhile?: () => void): Promise<readonly Record<string, string>[]> {
    const { harness } = this;
    const { id: job } = v.parse(created, bodyOf(await harness.runAgain({ export_id: String(id) })));
    const ref = { property: PROPERTY, export: id, job };
    const { shards } = await harness.plan(ref);
    meanwhile?.();
    for (const { shard } of shards) await harness.part(ref, shard);
    await harness.assemble(ref);
    return objectsOf(await fileOf(harness, ',', ref));
  }

  #happen(): void {
    const ordinal = this.#random.below(PEOPLE);
    this.harness.fakes.now += this.#random.below(12) * MINUTE;
    if (this.#random.below(12) === 0) {
      this.harness.fakes.profiles.delete(ordinal);
      this.#members.delete(ordinal);
      return;
    }
    put(this.harness, ordinal, this.#random.below(1_000));
    if (this.#random.below(3) === 0) this.#members.delete(ordinal);
    else this.#members.add(ordinal);
  }
}
