/** Former values: an access request shows what the undo log still holds of a person. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { findFormerValues } from '../../shared/ingest/former-values.ts';
import { undoJobFolder, undoLog } from '../../shared/ingest/undo-log.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { ofJob, storedStates, withJobs, jobs } from './undo-harness.ts';

const [JOB, LATER] = jobs;
const ann = (city: string) => ({ email: 'ann@example.org', city });

/** Ann moved from Bonn to Rome and to Oslo, by two jobs; Ben came with the second. */
const story = async () => {
  const { table, work, harness } = await withJobs(new MemoryTable(), [JOB, LATER]);
  await harness.post(accepted(ann('Bonn'), 0));
  await harness.apply([ofJob(JOB, ann('Rome'), 10)]);
  await harness.apply([ofJob(LATER, ann('Oslo'), 20), ofJob(LATER, { email: 'ben@example.org' }, 21)]);
  // A record that comes late never gets in.
  await harness.apply([ofJob(JOB, ann('Late'), 12)]);
  const ordinalOf = (email: string): number =>
    [...storedStates(table)].find(([, state]) =>
      [...state.values()].some(({ name }) => name.includes(email)),
    )?.[0] ?? -1;
  const find = (email: string, clock = () => NOW) =>
    findFormerValues({ work, clock })(scope.id, ordinalOf(email));
  return { work, find, ordinalOf };
};

const citiesIn = ({ jobs }: Awaited<ReturnType<Awaited<ReturnType<typeof story>>['find']>>) =>
  jobs.map(({ job, values }) => [job, values.fields['city']?.map(({ value }) => value) ?? []]);

describe('the former values of a person', () => {
  it('are what each job replaced or kept out, those of the newest job first', async () => {
    const { find } = await story();
    const found = await find('ann@');
    expect(found.all_looked_at).toBe(true);
    const cities = citiesIn(found);
    expect(cities.filter(([job]) => job === LATER).flatMap(([, city]) => city)).toEqual(
      expect.arrayContaining(['Rome', 'Late']),
    );
    expect(cities.filter(([job]) => job === JOB).flatMap(([, city]) => city)).toEqual(['Bonn']);
    expect(cities[0]?.[0]).toBe(LATER);
    expect(citiesIn(await find('ben@')).flatMap(([, city]) => city)).toEqual([]);
  });

  it('are said to be incomplete when an object is damaged, when time is short, and when there are too many', async () => {
    const damaged = await story();
    const [key = ''] = await damaged.work.list(undoJobFolder(scope.id, JOB));
    await damaged.work.put(key, 'damaged');
    expect((await damaged.find('ann@')).all_looked_at).toBe(false);

    const slow = await story();
    let now = NOW;
    const passing = () => (now += limits.imports.formerSeconds * 1_000);
    expect(await slow.find('ann@', passing)).toEqual({ all_looked_at: false, jobs: [] });

    const many = await story();
    const log = undoLog({ work: many.work, undoneAmong: () => Promise.resolve(new Set<number>()) });
    const entry = { ordinal: many.ordinalOf('ann@'), brought: [], beneath: [], late: [] };
    for (let object = 0; object < limits.imports.formerObjects; object += 1)
      await log.add(scope.id, `object-${object}`, new Map([[LATER, [entry]]]));
    // In one page, as S3 lists them.
    many.work.listAfter = async (folder, after) =>
      (await many.work.list(folder))
        .filter((key) => key > after)
        .map((key) => ({ key, size: 1, etag: '', modified: 0 }));
    const found = await many.find('ann@');
    expect(found.all_looked_at).toBe(false);

    const long = await story();
    long.work.listAfter = () => Promise.resolve([{ key: 'undo/1/lists/a', size: 1, etag: '', modified: 0 }]);
    expect(await long.find('ann@')).toEqual({ all_looked_at: false, jobs: [] });
  });
});
