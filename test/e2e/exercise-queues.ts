import type { Exercise, Harness } from './exercise-scene.ts';

const now = (): string => new Date().toISOString();

/** A message to each consumer that makes it read the table. */
const messages: Readonly<Record<string, (harness: Harness) => object>> = {
  drain: ({ service }) => ({ v: 1, property: service.property, group: 0 }),
  importBatch: ({ service, jobId }) => ({ v: 1, property: service.property, job: jobId, batch: 'x' }),
  enrich: ({ service }) => ({ v: 1, property: service.property, sealed: 'x' }),
  startImport: ({ service, importId, fresh }) => ({
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Upload Completed',
    detail: {
      'file-path': `/uploads/sftp/1/${service.property}/imports/${importId}/q${fresh()}.csv`,
      bytes: 1,
      etag: 'e',
      'end-timestamp': now(),
    },
  }),
  runScheduledExport: ({ service, exportId }) => ({
    v: 1,
    property: service.property,
    export: Number(exportId),
    revision: 1,
    time: now(),
    catches_up: false,
  }),
};

/**
 * Makes a consumer give back a message of an unknown shape, and copy a message that meets a busy service at its third
 * receive.
 */
const redelivery =
  (name: string): Exercise =>
  async (harness) => {
    const { cloud } = harness.service;
    const deliver = (body: object, receives: number) => {
      const attributes = { ApproximateReceiveCount: `${receives}`, MessageGroupId: 'test' };
      const record = { messageId: 'm', receiptHandle: 'r', body: JSON.stringify(body), attributes };
      return cloud.invoke(name, { Records: [record] }).catch(() => undefined);
    };
    await deliver({}, 1);
    const mend = cloud.gateway.failing(name);
    await deliver(messages[name]?.(harness) ?? {}, 3).finally(mend);
  };

/** The exercise of a consumer: first its messages that are not done, then others. */
export const consuming =
  (name: string, ...others: readonly Exercise[]): Exercise =>
  async (harness) => {
    await redelivery(name)(harness);
    for (const other of others) await other(harness);
  };
