import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import type { QueueTrigger } from '../../functions/entry.ts';
import { LINE_END, printLine } from '../../shared/csv/print-line.ts';
import { identified, uploadSchema } from '../support/api-client.ts';
import { deadLettersOf, redrive } from '../support/redrive.ts';
import type { TestService } from '../support/service.ts';
import { sftpClient } from '../../local/test/support/sftp-client.ts';
import { type SteadyClient, steadyClient } from '../support/steady-client.ts';
import { until } from '../support/until.ts';
import { batches, definitions, knownPeople, partnerFile, visitorsFile } from './import-story.ts';

const PATIENCE_MS = 240_000;
const queues: readonly QueueTrigger['queue'][] = ['fileEvents', 'importBatches', 'drains'];
const startedSchema = v.looseObject({ started: v.nullable(v.string()) });
const jobsSchema = v.looseObject({ jobs: v.array(v.looseObject({ id: v.number(), name: v.string() })) });

/** The jobs of a scenario by name, as paths, and the ids of their definitions. */
export interface Told {
  readonly jobs: Readonly<Record<'records' | 'visitors' | 'partner', string>>;
  readonly imports: Readonly<Record<string, number>>;
}

/** Waits until the service has accepted a file. The rows count as accepted at this time, so later data is newer. */
const started = async (client: SteadyClient, job: string): Promise<string> => {
  await until(`the start of ${job}`, async () => (await client.get(job, startedSchema)).started ?? undefined);
  return job;
};

/** Uploads the compressed file; returns its job. */
const upload = async (client: SteadyClient, path: string): Promise<string> => {
  const about = { file_name: 'visitors.csv.gz', size: visitorsFile.length };
  const { job_id, url, headers } = await client.post(`${path}/uploads`, about, uploadSchema);
  await until('the upload', async () => {
    const answer = await fetch(url, { method: 'PUT', headers, body: visitorsFile }).catch(() => undefined);
    // 412: an earlier try arrived, and its answer was lost.
    return answer?.ok === true || answer?.status === 412 ? true : undefined;
  });
  return started(client, `${path}/jobs/${job_id}`);
};

/** Drops the partner's file; returns its job. */
const drop = async ({ cloud }: TestService, client: SteadyClient, path: string): Promise<string> => {
  const { sftp, username = '', password = '' } = cloud.endpoints;
  const put = async (): Promise<true> => {
    using session = await sftpClient({ port: sftp?.port ?? 0, username, password });
    await session.put(`${path.replace('/v1', '')}/partner.csv`, partnerFile);
    return true;
  };
  await until('the drop', () => put().catch(() => undefined));
  const [job] = await until('the job of the drop', async () => {
    const { jobs } = await client.get(`${path}/jobs`, jobsSchema);
    return jobs.length > 0 ? jobs : undefined;
  });
  return started(client, `${path}/jobs/${job?.id}`);
};

/** Waits until no work is left; redrives dead letters, as the runbook says. */
const rest = async (service: TestService): Promise<void> => {
  const dead = () => queues.filter((queue) => deadLettersOf(service, queue).counts().visible > 0);
  const idle = { reached: false };
  void service.cloud.idle().then(() => {
    idle.reached = true;
  });
  // The workflow of a file waits for a batch among the dead letters.
  await until('rest', () => (idle.reached || dead().length > 0 ? true : undefined), PATIENCE_MS);
  const found = dead();
  for (const queue of found) await redrive(service, queue);
  if (found.length > 0) await rest(service);
};

/** The downloaded list of refused rows, with every correctable address corrected. */
const corrected = (list: string): string => {
  const [header = [], ...rows] = parse(list, {});
  const mended = rows.flatMap(([email = '', ...row]) =>
    email.startsWith('bad') ? [[email.replace(/^bad(\d+)$/, 'late$1@x.org'), ...row]] : [],
  );
  return [header, ...mended]
    .map((row) => printLine({ delimiter: ',', formulaGuard: false }, row) + LINE_END)
    .join('');
};

/**
 * Drives all imports of the scenario: uploaded, dropped, sent as batches beside them, and refused rows sent again.
 */
export const tellStory = async (service: TestService): Promise<Told> => {
  const client = steadyClient(service);
  const root = `/v1/${service.property}`;
  const define = async (definition: object): Promise<number> =>
    (await client.post(`${root}/imports`, definition, identified)).id;
  const imports = {
    visitors: await define(definitions.visitors),
    partner: await define(definitions.partner),
    records: await define(definitions.records),
  };
  const at = (id: number): string => `${root}/imports/${id}`;
  const { id } = await client.post(`${at(imports.records)}/jobs`, { name: 'records' }, identified);
  const records = `${at(imports.records)}/jobs/${id}`;
  const send = (batch: object) =>
    client.post(`${root}/import-data`, { name: 'b', import_job: id, ...batch }, v.unknown());
  await send({ records: knownPeople });
  await rest(service);
  const partner = await drop(service, client, at(imports.partner));
  const visitors = await upload(client, at(imports.visitors));
  for (const batch of batches) await send(batch);
  const jobs = { records, visitors, partner };
  await rest(service);
  const csv = corrected(await client.text(`${visitors}/errors?format=csv`));
  await client.post(`${visitors}/retry`, { csv }, v.unknown());
  await rest(service);
  return { jobs, imports };
};
