import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { bodyOf, type ExportsHarness, profile, PROPERTY, segment } from './harness.ts';

/** The first job of the first export of a harness. */
export const ref: JobRef = { property: PROPERTY, export: scopedId(PROPERTY, 1), job: scopedId(PROPERTY, 1) };
export const path = { export_id: String(ref.export), job_id: String(ref.job) };
const table = v.array(v.array(v.string()));

/** The workflow of a job, one step after the other. */
export const runJob = async (harness: ExportsHarness, job: JobRef): Promise<void> => {
  const { shards } = await harness.plan(job);
  for (const { shard } of shards) await harness.part(job, shard);
  await harness.assemble(job);
};

/** The workflow of the first job. */
export const runAll = (harness: ExportsHarness): Promise<void> => runJob(harness, ref);

/** The file that the job (the first one) names, and its rows. */
export const fileOf = async (
  harness: ExportsHarness,
  delimiter = ',',
  of: JobRef = ref,
): Promise<{ bytes: Buffer; rows: string[][] }> => {
  const job = await harness.exports.job(of);
  const bytes = Buffer.from((await harness.files.get(job?.value.file?.key ?? '')) ?? []);
  return { bytes, rows: v.parse(table, parse(bytes, { delimiter })) };
};

/** Profiles 0 to `count`, some without e-mail, with cells that need care. */
export const people = (harness: ExportsHarness, count: number): void => {
  for (let ordinal = 0; ordinal < count; ordinal += 1)
    harness.fakes.profiles.set(
      ordinal,
      profile(ordinal, {
        fields: {
          email: ordinal % 10 === 3 ? null : `p${ordinal}@example.test`,
          first_name: ordinal % 7 === 0 ? 'O"Neill,\r\nJr.' : `Zoë ${ordinal}`,
          last_name: '=HYPERLINK("x")',
        },
        age: ordinal % 90,
        extra:
          ordinal % 2 === 0 ? { plan: 'gold', score: ordinal } : { note: 'a,b', [`k${ordinal % 5}`]: true },
      }),
    );
};

/** Path parameters of a location. */
export const locationParts = (location: unknown): Record<string, string> => {
  const [capability = '', file_name = ''] = String(location).split('/').slice(-2);
  return { capability, file_name };
};

/** Completes an export of one of three people. Returns the addresses of its file and of its manifest. */
export const completed = async (harness: ExportsHarness) => {
  people(harness, 3);
  harness.fakes.members.set(segment(2), [1]);
  bodyOf(await harness.create({ segment: [segment(2)] }));
  await runAll(harness);
  const job = bodyOf(await harness.readJob(path));
  const [location, manifest] = [job['location'], job['manifest']].map(locationParts);
  if (!location || !manifest) throw new Error('the export has no file');
  return { location, manifest };
};
