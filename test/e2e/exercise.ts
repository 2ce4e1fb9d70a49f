import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { uploadSchema } from '../support/api-client.ts';
import { until } from '../support/until.ts';
import type { EnrichmentRequest } from '../support/reference-enricher.ts';
import type { RawAnswer } from '../support/service.ts';
import { issueToken, operator, seed } from './exercise-auth.ts';
import { deleteProperty } from './exercise-deletion.ts';
import { advanceBrands } from './exercise-brands.ts';
import { consuming } from './exercise-queues.ts';
import { exportExercises, pushGoneFile } from './exercise-exports.ts';
import { importExercises, importWithToken, longList } from './exercise-imports.ts';
import { announceImport, reconcileDrops, tellOfDrops, tellOfKeyLogin, sftpLogins } from './exercise-sftp.ts';
import {
  exportWithoutMembers,
  goneFindings,
  goneMembers,
  goneResult,
  goneResultFiles,
  goneRows,
  goneUpload,
  open,
  openWithoutMembers,
} from './exercise-gone.ts';
import { replayForgettings } from './exercise-restore.ts';
import { objectionExercises } from './exercise-objections.ts';
import { retentionExercises } from './exercise-retention.ts';
import { segmentExercises } from './exercise-segments.ts';
import { upkeepExercises } from './exercise-upkeep.ts';
import { timelineExercises } from './exercise-timelines.ts';
import {
  definition,
  get,
  inTurn,
  letOthersLead,
  post,
  type Exercise,
  type Harness,
} from './exercise-scene.ts';

/** A new person with a token that an enricher knows, then the same person with a change and a new tag. */
const createProfile: Exercise = async (harness) => {
  const path = `/v1/${harness.service.property}/profiles`;
  const email = `p${harness.fresh()}@example.org`;
  await post(harness, path, { email, first_name: 'A', social_token: `t${harness.fresh()}` });
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [`tag ${harness.fresh()}`] }];
  await post(harness, path, { email, first_name: 'B', tags });
};

/** The same while another request leads its group: the second request leads once the lease has ended. */
const createProfileAmongOthers: Exercise = async (harness) => {
  await letOthersLead(harness);
  await createProfile(harness);
};

/** Stores a person and forgets the person. */
const forgetProfile: Exercise = async (harness) => {
  const { service, fresh } = harness;
  const email = `gone${fresh()}@example.org`;
  await post(harness, `/v1/${service.property}/profiles`, { email });
  await service.call('DELETE', `/v1/${service.property}/profile?email=${encodeURIComponent(email)}`);
};

/** Uploads a file. */
const upload = async (harness: Harness, body: Buffer<ArrayBuffer>, more: object = {}): Promise<void> => {
  const path = `/v1/${harness.service.property}/imports/${harness.importId}/uploads`;
  const answer = await post(harness, path, { file_name: 'people.csv', size: body.length, ...more });
  const address = v.safeParse(uploadSchema, JSON.parse(answer.text));
  if (!address.success) return;
  const { url, headers } = address.output;
  const put = await fetch(url, { method: 'PUT', headers, body });
  await put.arrayBuffer();
};

/** A new person, a known person and a refused row. */
const rows = ({ fresh }: Harness): Buffer<ArrayBuffer> => {
  const n = fresh().toString().padStart(6, '0');
  return Buffer.from(
    `email,first_name,tags\r\nf${n}@example.org,Z${n},t${n}\r\nknown@example.org,N${n},\r\nwrong,,\r\n`,
  );
};
const uploadRows: Exercise = (harness) => upload(harness, rows(harness));
const uploadCompressed: Exercise = (harness) => upload(harness, gzipSync(rows(harness)));

const sendBatch: Exercise = async (harness) => {
  const n = harness.fresh();
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [`batch ${n}`] }];
  const records = [
    { email: `b${n}@example.org`, tags, social_token: `t${n}` },
    { email: 'known@example.org', last_name: `N${n}` },
    { email: 'wrong' },
  ];
  const body = { name: `b${n}`, import_job: harness.jobId, skip_appends: false, records };
  await post(harness, `/v1/${harness.service.property}/import-data`, body);
};

const createExport: Exercise = (harness) =>
  post(harness, `/v1/${harness.service.property}/exports`, {
    segment: [harness.segment],
    webhook_url: harness.webhook,
    notification_email: 'receiver@example.org',
    destination_credentials: { domain: harness.sftp, client_id: 'receiver' },
  });

const createdExport = v.looseObject({ id: v.string() });
const exportJobs = v.looseObject({
  jobs: v.tupleWithRest([v.looseObject({ id: v.string(), status: v.string() })], v.unknown()),
});

/** Works on an export that is still running, because its last step may not finish it. */
const whileRunning = async (
  { service, segment }: Harness,
  act: (exportId: string, jobId: string) => Promise<unknown>,
): Promise<void> => {
  const { client, property, cloud } = service;
  const restore = cloud.gateway.withoutAction('assembleExport', 'dynamodb:PartiQLUpdate');
  try {
    const { id } = await client.post(`/v1/${property}/exports`, { segment: [segment] }, createdExport);
    const job = await until('a running export', async () => {
      const { jobs } = await client.get(`/v1/${property}/exports/${id}/jobs`, exportJobs);
      return jobs[0].status === 'running' ? jobs[0] : undefined;
    });
    await act(id, job.id);
  } finally {
    restore();
  }
};

/** A writer that may not delete its journal entry leaves the entry behind. The sweep then requests a drain. */
const sweep: Exercise = async (harness) => {
  const restore = harness.service.cloud.gateway.withoutAction('createProfile', 'dynamodb:PartiQLDelete');
  await createProfile(harness).finally(restore);
  await harness.service.cloud.fireSchedule('tidemark-local-sweep').catch(() => undefined);
};

/** Holds drains back, so that the step finds rows that are not indexed; then lets the drains finish. */
const settleImport: Exercise = async (harness) => {
  const { gateway } = harness.service.cloud;
  const restore = gateway.withoutAction('drain', 'sqs:ReceiveMessage');
  const isRefused = (caller: string): boolean => gateway.denials.list().some((one) => one.caller === caller);
  const asked = (): number =>
    gateway.meter
      .snapshot()
      .find(({ caller, action }) => `${caller} ${action}` === 'settleImport sqs:SendMessage')?.calls ?? 0;
  try {
    await sendBatch(harness);
    // A receiver that already waits for a message still gets this message, and is refused at its next call.
    await until('drains being held back', () => isRefused('drain') || undefined);
    const before = asked();
    await uploadRows(harness);
    await until(
      'the step asking for a drain',
      () => isRefused('settleImport') || asked() > before || undefined,
    );
  } finally {
    restore();
  }
};

/** The enricher's answer in these tests: a social id and a new tag. */
export const enriched = ({ social_token = '' }: EnrichmentRequest): unknown => {
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [`tag of ${social_token}`] }];
  return { values: [{ tier: 'social_network', fields: { social_id: social_token, tags } }] };
};

const inImports =
  (rest: string): ((harness: Harness) => Promise<RawAnswer>) =>
  (harness) =>
    get(
      harness,
      `/v1/${harness.service.property}/imports${rest.replace(':import', String(harness.importId)).replace(':job', String(harness.jobId))}`,
    );
const inExports =
  (rest: string): ((harness: Harness) => Promise<RawAnswer>) =>
  (harness) =>
    get(
      harness,
      `/v1/${harness.service.property}/exports${rest.replace(':export', harness.exportId).replaceAll(':job', harness.exportJob)}`,
    );

/**
 * Reading a job records its end: sends a batch and reads until a read fails, or until the batch has long been stored.
 */
const afterBatch =
  (read: (harness: Harness) => Promise<RawAnswer>): Exercise =>
  async (harness) => {
    await sendBatch(harness);
    for (let tries = 0; tries < 200; tries += 1) {
      if ((await read(harness)).status >= 500) return;
    }
  };

/** The exercise of each function of the manifest. */
export const exercises: Readonly<Record<string, Exercise>> = {
  health: (harness) => get(harness, '/healthz'),
  notFound: (harness) => get(harness, '/nowhere'),
  openApi: (harness) => get(harness, '/docs'),
  tryOperations: (harness) => get(harness, '/docs/try'),
  getTryFile: (harness) => get(harness, '/docs/try/licences.txt'),
  openApiDocument: (harness) => get(harness, '/openapi.json'),
  issueToken,
  getCaller: (harness) => get(harness, '/v1/me'),
  seed,
  operator,
  deleteProperty,
  createProfile: createProfileAmongOthers,
  forgetProfile: inTurn(exportWithoutMembers, forgetProfile),
  replayForgettings,
  listAuditLog: (harness) => get(harness, `/v2/properties/${harness.service.property}/audit-log?limit=1`),
  accessRequest: async (harness) => {
    await exportWithoutMembers(harness);
    // Quotes take four bytes in an answer, so the file of this person gets an address of its own.
    const unique_id = `large-${harness.fresh()}`;
    const body = { unique_id, extra_data: { notes: '"'.repeat(150_000) } };
    await post(harness, `/v1/${harness.service.property}/profiles`, body);
    const path = `/v1/${harness.service.property}/profile/access-request?unique_id=${unique_id}`;
    await harness.service.call('GET', path, { follow: true });
    // Exports of other exercises need not print this person.
    await harness.service.call('DELETE', path.replace('/access-request', ''));
  },
  getProfile: (harness) =>
    get(harness, `/v1/${harness.service.property}/profile?email=known%40example.org&include=segments`),
  findSegments: async (harness) => {
    await get(harness, `/v1/${harness.service.property}/segments?limit=1`);
    await get(harness, `/v1/${harness.service.property}/segments?name=everyone`);
  },
  getSegment: (harness) => get(harness, `/v1/${harness.service.property}/segments/${harness.segment}`),
  listProfileSegments: (harness) =>
    get(harness, `/v1/${harness.service.property}/profile_segments?email=known%40example.org`),
  listSegmentProfiles: (harness) =>
    get(harness, `/v2/properties/${harness.service.property}/segments/${harness.segment}/profiles?limit=1`),
  ...objectionExercises,
  ...retentionExercises,
  ...segmentExercises,
  ...upkeepExercises,
  ...timelineExercises,
  drain: consuming('drain', sendBatch),
  advanceBrands,
  enrich: consuming('enrich', importWithToken, createProfile),
  sweep,
  ...importExercises,
  createImport: (harness) =>
    post(harness, `/v1/${harness.service.property}/imports`, {
      ...definition(`D${harness.fresh()}`),
      webhook_url: harness.webhook,
    }),
  listImports: inImports('?limit=1'),
  getImport: inImports('/:import'),
  createImportJob: (harness) =>
    post(harness, `/v1/${harness.service.property}/imports/${harness.importId}/jobs`, {
      name: `J${harness.fresh()}`,
    }),
  listImportJobs: async (harness) => {
    await inImports('/:import/jobs?limit=1')(harness);
    await afterBatch(inImports('/:import/jobs'))(harness);
  },
  getImportJob: inTurn(
    afterBatch(async (harness) => {
      const read = inImports('/:import/jobs/:job');
      const answer = await read(harness);
      return answer.status >= 500 ? answer : read({ ...harness, jobId: harness.dryRunId });
    }),
    goneResult,
  ),
  listImportErrors: inTurn(longList('errors'), goneRows('errors')),
  listImportWarnings: inTurn(longList('warnings'), goneRows('warnings')),
  authorizeSftp: sftpLogins,
  recordSftpLogin: tellOfKeyLogin,
  createUpload: uploadRows,
  startImport: consuming('startImport', async (harness) => {
    await uploadRows(harness);
    await tellOfDrops(harness);
  }),
  reconcileDrops,
  inspectFile: inTurn(uploadCompressed, goneUpload),
  splitFile: async (harness) => {
    await uploadRows(harness);
    // No worker adds up a dry run without rows.
    await upload(harness, Buffer.from('email,first_name,tags\r\n'), { dry_run: true });
    await goneUpload(harness);
  },
  importBatch: consuming('importBatch', uploadRows, sendBatch, goneFindings, goneUpload),
  settleImport,
  announceImport: inTurn(announceImport, goneResultFiles),
  listImportDeliveries: inImports('/:import/jobs/:job/deliveries'),
  failImport: async (harness) => {
    const { job_id: id } = await harness.service.client.post(
      `/v1/${harness.service.property}/imports/${harness.importId}/uploads`,
      { file_name: `f${harness.fresh()}.csv`, size: 1 },
      uploadSchema,
    );
    const payload = {
      property: harness.service.property,
      import: harness.importId,
      job: id,
      error: 'Error',
      cause: 'a test',
    };
    await harness.service.cloud.invoke('failImport', payload);
  },
  ...exportExercises,
  listExports: inExports('?limit=1'),
  getExport: inExports('/:export'),
  listExportJobs: inExports('/:export/jobs?limit=1'),
  getExportJob: async (harness) => {
    await inExports('/:export/jobs/:job')(harness);
    await whileRunning(harness, (id, job) =>
      get(harness, `/v1/${harness.service.property}/exports/${id}/jobs/${job}`),
    );
  },
  download: inTurn(({ location }) => open(location), openWithoutMembers(forgetProfile)),
  writeExportPart: createExport,
  assembleExport: createExport,
  startDeliveries: createExport,
  deliverFile: inTurn(createExport, pushGoneFile),
  deliverWebhook: inTurn(createExport, goneMembers('webhook', 'deliverWebhook')),
  listDeliveries: inExports('/:export/jobs/:job/deliveries'),
  getDelivery: inExports('/:export/jobs/:job/deliveries/:job-email'),
  replayDelivery: goneMembers('webhook', 'deliverWebhook'),
  failExport: (harness) =>
    whileRunning(harness, (id, job) =>
      harness.service.cloud.invoke('failExport', {
        property: harness.service.property,
        export: Number(id),
        job: Number(job),
        error: 'Error',
        cause: 'a test',
      }),
    ),
};
export { definition };
export type { Harness };
