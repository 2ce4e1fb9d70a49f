import * as v from 'valibot';
import { statusListQuery } from '../../shared/http/list-schemas.ts';
import type { ApiRequest } from '../../shared/http/api-types.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { deleteImport } from '../../shared/imports/definitions/delete-import.ts';
import type { FileEvent, ObjectCreated } from '../../shared/imports/files/file-events.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { inspectImport } from '../../shared/imports/inspect/inspect-import.ts';
import { inspectAnswer, inspectBody } from '../../shared/imports/inspect/inspect-schemas.ts';
import { batchMessage, type JobReference } from '../../shared/imports/items/job-messages.ts';
import { jobStatuses } from '../../shared/imports/items/job-status.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { createImportJob } from '../../shared/imports/jobs/create-import-job.ts';
import { repairJob } from '../../shared/imports/jobs/import-tasks.ts';
import {
  getImportJob,
  listAllImportJobs,
  listImportJobs,
} from '../../shared/imports/jobs/read-import-jobs.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import {
  listImportErrors,
  listImportWarnings,
  type ReportDeps,
} from '../../shared/imports/reports/list-report.ts';
import { batchAnswer, batchBody } from '../../shared/imports/schemas/batch-schemas.ts';
import { importAnswer, importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import {
  allJobsAnswer,
  jobAnswer,
  jobBody,
  jobDetailAnswer,
  jobsAnswer,
} from '../../shared/imports/schemas/job-schemas.ts';
import { errorsAnswer, reportQuery, warningsAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { wholeUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import type { TaskKind } from '../../shared/tasks/reconcile.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import type { Through } from '../support/death.ts';
import { lookAtDue, makeDue, tasksIn } from '../support/look-at-tasks.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import { answered, requestOf } from '../support/requests.ts';
import { importWorld, type ImportWorld } from './import-world.ts';

/** A definition of `email` and `first_name`, as a client sends it. */
export const simpleDefinition = definitionOf(
  ['email', 'first_name'].map((name) => fieldMap(name, name, { transformations: [{ name: 'strip' }] })),
  { required_fields: ['email'] },
);

/** A request as the wrapper hands it on. */
export const request = <Query, Body>(
  path: Readonly<Record<string, string | number>>,
  query: Query,
  body: Body,
): ApiRequest<Query, Body> =>
  requestOf({
    ...{ property: scope.id, now: NOW, query, body },
    path: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)])),
  });

/** What the steps of the workflow of a file name. */
export const referenceOf = (importId: number, job: number): JobReference => ({
  property: scope.id,
  import: importId,
  job,
});

/** Which report is asked for, by HEAD or not, with what is changed for it. */
interface AskedReport extends Partial<ReportDeps> {
  readonly list?: typeof listImportErrors;
  readonly head?: boolean;
}

/** The routes of definitions, jobs and reports. */
const routesOn = ({ deps }: ImportWorld) => {
  const pathOf = (importId: number, job: number) => ({ import_id: importId, job_id: job });
  const askReport = (
    importId: number,
    job: number,
    query: object = {},
    { list = listImportErrors, head = false, ...changed }: AskedReport = {},
  ) => {
    const asked = request(pathOf(importId, job), v.parse(reportQuery, query), undefined);
    return list({ ...deps, ...changed }, { ...asked, head });
  };
  const reportReader =
    <Answer>(list: typeof listImportErrors, schema: v.GenericSchema<unknown, Answer>) =>
    (importId: number, job: number, query: object = {}): Promise<Answer> =>
      answered(askReport(importId, job, query, { list }), schema);
  const importRecords = (job: number, records: readonly unknown[], more: object = {}) => {
    const body = v.parse(batchBody, { name: 'batch', import_job: job, records, ...more });
    return importData(deps, request({}, {}, body));
  };
  const askInspection = (body: object, permissions = allPermissions) =>
    inspectImport(deps, { ...request({}, {}, v.parse(inspectBody, body)), permissions });
  return {
    /** Asks for an inspection, which may be refused. */
    askInspection,
    /** Inspects the first bytes of a file. */
    inspect: (file: Buffer | string, more: object = {}) => {
      const content = Buffer.from(file).toString('base64');
      return answered(askInspection({ content, ...more }), inspectAnswer);
    },
    /** Makes a definition. */
    define: (definition: unknown = simpleDefinition) =>
      answered(createImport(deps, request({}, {}, v.parse(importBody, definition))), importAnswer),
    /** Makes a job for batches. */
    openJob: (importId: number, more: object = {}) => {
      const body = v.parse(jobBody, { name: 'job', ...more });
      return answered(createImportJob(deps, request({ import_id: importId }, {}, body)), jobAnswer);
    },
    /** Sends a batch, which may be refused. */
    importRecords,
    /** Sends a batch. */
    send: (...batch: Parameters<typeof importRecords>) => answered(importRecords(...batch), batchAnswer),
    /** Reads a job; with a token that may see people, unless `permissions` say otherwise. */
    readJob: (importId: number, job: number, permissions = allPermissions) => {
      const asked = { ...request(pathOf(importId, job), {}, undefined), permissions };
      return answered(getImportJob(deps, asked), jobDetailAnswer);
    },
    listJobs: async (importId: number, query: object = {}) => {
      const asked = request({ import_id: importId }, v.parse(statusListQuery(jobStatuses), query), undefined);
      return (await answered(listImportJobs(deps, asked), jobsAnswer)).jobs;
    },
    /** Asks for a page of the jobs of all definitions. */
    listAllJobs: (query: object = {}) => {
      const asked = request({}, v.parse(statusListQuery(jobStatuses), query), undefined);
      return answered(listAllImportJobs(deps, asked), allJobsAnswer);
    },
    /** Deletes a definition. */
    remove: (importId: number) => deleteImport(deps, request({ import_id: importId }, {}, undefined)),
    cancel: (importId: number, job: number) =>
      cancelImportJob(deps, request(pathOf(importId, job), {}, undefined)),
    /** Asks for the report of a job, which may be refused; that of the refused rows unless told otherwise. */
    askReport,
    /** The report of a job as CSV. */
    download: async (importId: number, job: number, query: object = {}, more?: AskedReport) => {
      const answer = await askReport(importId, job, { format: 'csv', ...query }, more);
      if (!answer.ok) throw new Error(answer.error.code);
      return answer.value;
    },
    /** Reads a page of the report of a job. */
    readErrors: reportReader(listImportErrors, errorsAnswer),
    readWarnings: reportReader(listImportWarnings, warningsAnswer),
  };
};

/** What the queues and the workflow of a file call. */
const workersOn = ({ deps, batches, uploads }: ImportWorld) => {
  /** Takes everything queued. */
  const messages = () => batches.takeBodies().map((body) => v.parse(batchMessage, body));
  return {
    messages,
    /** Takes everything queued; answers the first. */
    firstMessage: () => {
      const [first] = messages();
      if (!first) throw new Error('nothing is queued');
      return first;
    },
    importBatch: (message: v.InferOutput<typeof batchMessage>, isLast?: () => boolean) =>
      importBatch(deps, message, isLast),
    /** Works off everything queued. `through` may repeat the work on a batch, as the queue does. */
    workOff: async (through: Through = (step) => step()): Promise<void> => {
      for (const message of messages()) await through(() => importBatch(deps, message));
    },
    /** Puts an object into the uploads bucket; answers the event that S3 sends of it. */
    put: async (
      key: string,
      file: Buffer | string,
      options: { ifAbsent?: boolean } = {},
    ): Promise<ObjectCreated> => {
      const bytes = Buffer.from(file);
      const isRefused = options.ifAbsent === true && (await uploads.head(key)) !== undefined;
      if (!isRefused) await uploads.put(key, bytes);
      const info = await uploads.head(key);
      const object = { key, size: bytes.length, etag: (info?.etag ?? '').replaceAll('"', '') };
      return {
        source: 'aws.s3',
        'detail-type': 'Object Created',
        time: new Date(info?.modified ?? NOW).toISOString(),
        detail: { bucket: { name: 'uploads' }, object },
      };
    },
    startImport: (event: FileEvent) => startImport(deps, event),
    inspectFile: (reference: JobReference) => inspectFile(deps, reference),
    splitFile: (reference: JobReference) => splitFile(deps, reference),
    settleImport: (reference: JobReference) => settleImport(deps, reference),
  };
};

/** The whole way of a file, step by step. */
const filesOn = (world: ImportWorld) => {
  const { deps } = world;
  const { readJob, send } = routesOn(world);
  let hours = 0;
  const workers = workersOn(world);
  /** Asks for the address of an upload. */
  const openUpload = async (importId: number, size: number, more: object = {}) => {
    const body = { file_name: 'visitors.csv', size, ...more };
    const answer = await answered(
      createUpload(deps, request({ import_id: importId }, {}, body)),
      wholeUpload,
    );
    const { url, job_id: job, headers } = answer;
    return { job, headers, key: new URL(url).pathname.slice(1), reference: referenceOf(importId, job) };
  };
  /** Uploads a file and starts its job. */
  const upload = async (
    importId: number,
    file: Buffer | string,
    name = 'visitors.csv',
    more: object = {},
  ) => {
    const made = await openUpload(importId, Buffer.from(file).length, { file_name: name, ...more });
    const event = await workers.put(made.key, file);
    await startImport(deps, event);
    return { ...made, event };
  };
  /** Cuts a file that has passed its inspection into batches. */
  const cut = async (reference: JobReference): Promise<void> => {
    while (!(await splitFile(deps, reference)).done);
  };
  /** Runs the workflow of the job of a file to its end; answers the job as read then. */
  const runJob = async (importId: number, job: number) => {
    const reference = referenceOf(importId, job);
    let inspected = await inspectFile(deps, reference);
    while (!inspected.done) inspected = await inspectFile(deps, reference);
    if (inspected.status === 'ok') {
      await cut(reference);
      await workers.workOff();
      await settleImport(deps, reference);
    }
    return readJob(importId, job);
  };
  return {
    openUpload,
    upload,
    /** Uploads a file that is then inspected. */
    uploadInspected: async (...file: Parameters<typeof upload>) => {
      const made = await upload(...file);
      await inspectFile(deps, made.reference);
      return made;
    },
    /** Sends a batch, and works off everything queued. */
    store: async (...batch: Parameters<typeof send>) => {
      const answer = await send(...batch);
      await workers.workOff();
      return answer;
    },
    /** One call of the step that splits a file, whose time is over after its first part. */
    splitHurriedly: (reference: JobReference) => {
      const clock = () => (hours += 3_600_000);
      return splitFile({ ...deps, clock }, reference);
    },
    cut,
    runJob,
    /** Uploads a file and runs its workflow; answers the job. */
    runFile: async (importId: number, file: Buffer | string, name?: string, more: object = {}) =>
      runJob(importId, (await upload(importId, file, name, more)).job),
  };
};

/** What a test looks at, and the task that looks after jobs. */
const watchOn = ({ table, profiles, deps }: ImportWorld) => {
  /** All stored profiles, in the order in which they were made: `fields` has the scalar fields. */
  const stored = async (): Promise<readonly ResolvedProfile[]> => {
    const counter = await table.get({ pk: `P#${scope.id}`, sk: 'COUNTER#ordinal' });
    const ordinals = Array.from({ length: Number(counter?.['value'] ?? 0) }, (_, ordinal) => ordinal);
    const found = await profiles.readMany(scope.id, ordinals);
    return ordinals.flatMap((ordinal) => found.get(ordinal) ?? []);
  };
  return {
    stored,
    /** E-mail and first name of every stored profile, sorted by e-mail. */
    people: async () =>
      (await stored())
        .map(({ fields }) => [fields.email ?? '', fields.first_name] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    /** The jobs with a task. */
    jobsWithTasks: () => tasksIn(table).map(({ ids }) => ids[0]),
    /** Looks at all jobs with a task, at a time. Returns how much it has repaired. */
    repairAt: async (now: number): Promise<number> => {
      const clock = () => now;
      let repaired = 0;
      const look: TaskKind['look'] = async (task) => {
        const { repairs, isDone } = await repairJob({ ...deps, clock }, task);
        repaired += repairs;
        return isDone ? 'done' : {};
      };
      const kinds = { 'import-job': { pauseSeconds: 600, look } };
      await makeDue(table, kinds);
      await lookAtDue({ table, clock }, kinds);
      return repaired;
    },
  };
};

/** The steps of imports on a world. */
export const importsOn = (world: ImportWorld) => ({
  ...world,
  ...routesOn(world),
  ...workersOn(world),
  ...filesOn(world),
  ...watchOn(world),
});
export type ImportHarness = ReturnType<typeof importsOn>;

/** A world of imports and their steps. */
export const importHarness = (...options: Parameters<typeof importWorld>): ImportHarness =>
  importsOn(importWorld(...options));

/** A harness that calls `tick` ahead of each operation on its table and its objects. */
export const tickingHarness = (tick: () => void): ImportHarness => importHarness(new MemoryTable(tick), tick);

/** A harness with a definition. */
export const withDefinition = async (definition: unknown = simpleDefinition, harness = importHarness()) => {
  return { harness, id: (await harness.define(definition)).id };
};

/** A file that was imported by a definition, with the people that there are then. */
export const ranFile = async (
  file: Buffer | string,
  definition?: unknown,
  name?: string,
  on?: ImportHarness,
) => {
  const { harness, id } = await withDefinition(definition, on);
  const job = await harness.runFile(id, file, name);
  const { errors } = await harness.readErrors(id, job.id);
  const { warnings } = await harness.readWarnings(id, job.id);
  return { harness, id, job, jobId: job.id, errors, warnings, people: await harness.people() };
};

/** A harness with a definition and a job for batches. */
export const begin = async (definition: unknown = simpleDefinition) => {
  const { harness, id: importId } = await withDefinition(definition);
  const { id: job } = await harness.openJob(importId);
  return { harness, importId, job };
};
