import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import type { JobRef } from '../../shared/exports/model/items.ts';
import type { SendOutcome } from '../../shared/webhooks/sender.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import {
  bodyOf,
  exportsHarness,
  type ExportsHarness,
  type HarnessOptions,
  profile,
  PROPERTY,
  segment,
} from './harness.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { confirmAddress, showConfirmation } from '../../shared/email/confirmation.ts';
import { expect } from 'vitest';
import { publicRequestOf } from '../support/requests.ts';

/** The first job of the first export of a harness. */
export const ref: JobRef = { property: PROPERTY, export: scopedId(PROPERTY, 1), job: scopedId(PROPERTY, 1) };
export const path = { export_id: String(ref.export), job_id: String(ref.job) };
const table = v.array(v.array(v.string()));

/** The `n`-th job of the property, as a job of the first export. */
export const jobRef = (n: number): JobRef => ({ ...ref, job: scopedId(PROPERTY, n) });
export const jobPath = (n: number) => ({ ...path, job_id: String(jobRef(n).job) });

/** Plans a job and writes its parts. */
export const writeParts = async (harness: ExportsHarness, job: JobRef = ref): Promise<void> => {
  const { shards } = await harness.plan(job);
  for (const { shard } of shards) await harness.part(job, shard);
};

/** The workflow of a job, one step after the other. */
export const runJob = async (harness: ExportsHarness, job: JobRef): Promise<void> => {
  await writeParts(harness, job);
  await harness.assemble(job);
};

/** The workflow of the first job. */
export const runAll = (harness: ExportsHarness): Promise<void> => runJob(harness, ref);

/** The bytes of the file that the job (the first one) names. */
export const bytesOf = async (harness: ExportsHarness, of: JobRef = ref): Promise<Buffer> => {
  const job = await harness.exports.job(of);
  return Buffer.from((await harness.files.get(job?.value.file?.key ?? '')) ?? []);
};

/** The file that the job (the first one) names, and its rows. */
export const fileOf = async (
  harness: ExportsHarness,
  delimiter = ',',
  of: JobRef = ref,
): Promise<{ bytes: Buffer; rows: string[][] }> => {
  const bytes = await bytesOf(harness, of);
  return { bytes, rows: v.parse(table, parse(bytes, { delimiter })) };
};

/** The manifest that the job (the first one) names. */
export const manifestOf = async (harness: ExportsHarness, of: JobRef = ref): Promise<unknown> => {
  const key = (await harness.exports.job(of))?.value.file?.manifest_key ?? '';
  return JSON.parse(Buffer.from((await harness.files.get(key)) ?? []).toString());
};

/** Profiles 0 to `count`, some without e-mail, with cells that need care. */
const people = (harness: ExportsHarness, count: number): void => {
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

/** How many people there are, and the ordinals of those in the segment that is exported. */
interface Crowd extends HarnessOptions {
  readonly count?: number;
  readonly members?: readonly number[];
}

/** A harness with people, some of them in a segment. */
export const withPeople = ({ count = 5, members = [1, 2], ...options }: Crowd = {}): ExportsHarness => {
  const harness = exportsHarness(options);
  people(harness, count);
  harness.fakes.members.set(segment(2), members);
  return harness;
};

/** Such a harness with an export of the segment, whose first job has not run yet. */
export const begun = async (more: object = {}, crowd: Crowd = {}): Promise<ExportsHarness> => {
  const harness = withPeople(crowd);
  bodyOf(await harness.create({ segment: [segment(2)], ...more }));
  return harness;
};

/** The same after the end of its first job. */
export const ran = async (more: object = {}, crowd: Crowd = {}): Promise<ExportsHarness> => {
  const harness = await begun(more, crowd);
  await runAll(harness);
  return harness;
};

/** A custom format whose columns have the names of their fields. */
export const columnsOf = (...names: readonly string[]) => ({
  field_set: 'custom' as const,
  custom_result_format: names.map((name) => ({ umbel_field_name: name, destination_field_name: name })),
});

/** The answer of a receiver. */
export const answered = (status: number, retryAfter?: string): SendOutcome => ({
  kind: 'answered',
  status,
  retryAfter,
});

/** Path parameters of a location. */
export const locationParts = (location: unknown): Record<string, string> => {
  const [capability = '', file_name = ''] = String(location).split('/').slice(-2);
  return { capability, file_name };
};

/** A complete export of one of three people, with the addresses of its file and of its manifest. */
export const completed = async (options: HarnessOptions = {}) => {
  const harness = await ran({}, { count: 3, members: [1], ...options });
  const job = bodyOf(await harness.readJob(path));
  const [location, manifest] = [job['location'], job['manifest']].map(locationParts);
  if (!location || !manifest) throw new Error('the export has no file');
  return { harness, location, manifest };
};

/** Who hears about a file: a server, the own address of the user, and a receiver of webhooks. */
export const receivers = {
  destination_credentials: { domain: 'files.example.com:2222', client_id: 'receiver' },
  notification_email: 'Ada@example.test',
  webhook_url: 'https://hooks.example.com/secret-path',
};

/** Runs job number `n` of the export; each but the first is asked for by a request. */
export const runNext = async (harness: ExportsHarness, n: number): Promise<void> => {
  if (n > 1) bodyOf(await harness.runAgain(path));
  await runJob(harness, jobRef(n));
};

/** Makes a request that dies before it starts its workflow. */
export const dyingAtStart = async (harness: ExportsHarness, request: () => Promise<unknown>) => {
  const start = harness.workflow.start.bind(harness.workflow);
  harness.workflow.start = () => Promise.reject(new Error('died'));
  await expect(request()).rejects.toThrow('died');
  harness.workflow.start = start;
};

/** The capability in the link by which the last mail lets its address be confirmed. */
export const confirmationIn = ({ mails }: ExportsHarness): string =>
  /\/confirmations\/([\w-]{43})\r\n/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';

/** Opens that link (GET), or presses its button (POST). */
export const openConfirmation = (
  harness: ExportsHarness,
  method: 'GET' | 'POST' = 'POST',
  capability = confirmationIn(harness),
  rawQuery = '',
) => {
  const asked = publicRequestOf({ now: harness.fakes.now, method, path: { capability }, rawQuery });
  return (method === 'GET' ? showConfirmation : confirmAddress)(harness, asked);
};

/** The faults of a refused request, each with its place, or that it was accepted. */
export const faultsOf = (answer: Awaited<ReturnType<ExportsHarness['create']>>) =>
  answer.ok ? 'accepted' : answer.error.errors?.map(({ pointer, code }) => `${pointer} ${code}`);

/** Forgets a person in one second, as the list of forgotten people sees it. */
export const forget = async (harness: ExportsHarness, ordinal: number): Promise<void> => {
  const list = forgottenPeople(harness.table);
  const announced = await list.announce(PROPERTY, [ordinal], harness.fakes.now);
  harness.fakes.profiles.delete(ordinal);
  harness.fakes.now += 1_000;
  await list.settle(announced, [ordinal], harness.fakes.now);
};
