/** What the users of a running service do in many tests. */
import * as v from 'valibot';
import { jobsAnswer } from '../../shared/exports/model/answers.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { segmentsAnswer } from '../../shared/segments/schemas.ts';
import { finalCounts, identified, uploadFile } from './api-client.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';

type Caller = Pick<Service, 'client' | 'property'>;

/** The id of the segment with this name, and of this type if several have the name. */
export const segmentId = async (
  { client, property }: Caller,
  name = 'everyone',
  type?: string,
): Promise<number> => {
  const found = await client.get(`/v1/${property}/segments?name=${encodeURIComponent(name)}`, segmentsAnswer);
  const segment = found.find((one) => type === undefined || one.type === type);
  if (!segment) throw new Error(`no segment ${name}`);
  return segment.id;
};

/** Defines an import, and returns its path. */
export const defineImport = async (
  { client, property }: Caller,
  definition: object | null,
): Promise<string> => {
  const path = `/v1/${property}/imports`;
  return `${path}/${(await client.post(path, definition, identified)).id}`;
};

/** Sends a file to the import at a path. Returns the path of its job, and the counts at its end. */
export const importFile = async (
  { client }: Caller,
  path: string,
  file: string | Buffer<ArrayBuffer>,
  name = 'visitors.csv',
) => {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const job = await uploadFile(client, path, { name, bytes });
  return { job, counts: await finalCounts(client, job) };
};

/** Opens a job for batches at the path of an import. Returns its id and its path. */
export const openJob = async ({ client }: Caller, path: string) => {
  const { id } = await client.post(`${path}/jobs`, { name: 'records' }, identified);
  return { id, job: `${path}/jobs/${id}` };
};

/** The first name of the person with this e-mail address, empty for none. Nothing when nobody has the address. */
export const firstNameOf = async (
  { call, property }: Pick<Service, 'call' | 'property'>,
  email: string,
): Promise<string | undefined> => {
  const { status, text } = await call('GET', `/v1/${property}/profile?email=${email}`);
  const found = v.object({ profile: v.looseObject({ first_name: v.nullable(v.string()) }) });
  return status === 200 ? (v.parse(found, JSON.parse(text)).profile.first_name ?? '') : undefined;
};

/** Defines an export, and returns its id. */
export const defineExport = async ({ client, property }: Caller, definition: object): Promise<string> =>
  (await client.post(`/v1/${property}/exports`, definition, v.looseObject({ id: v.string() }))).id;

/** The jobs of an export, the newest first, once there are so many and all of them are complete. */
export const completeJobs = ({ client, property }: Caller, id: string, count = 1) =>
  until(`${count} complete jobs of ${id}`, async () => {
    const { jobs } = await client.get(`/v1/${property}/exports/${id}/jobs`, jobsAnswer);
    return jobs.length === count && jobs.every(({ status }) => status === 'complete') ? jobs : undefined;
  });

/** The text of the newest file of an export that has so many jobs. */
export const exportedText = async (caller: Caller, id: string, count?: number): Promise<string> => {
  const [newest] = await completeJobs(caller, id, count);
  return (await fetch(newest?.location ?? '')).text();
};

/** Takes an import back, and waits for the end. */
export const undo = async ({ client }: Caller, job: string) => {
  await client.post(`${job}/undo`, {}, jobAnswer);
  return until('the end of the undo', async () => {
    const { undo: seen } = await client.get(job, v.looseObject(jobAnswer.entries));
    return seen?.status === 'complete' ? seen : undefined;
  });
};
