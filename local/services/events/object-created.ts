import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION } from '../../core/arn.ts';
import type { ObjectCreated } from '../s3/store.ts';

/** An event on the default bus. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Builds the `Object Created` event that S3 sends to EventBridge. The key is unencoded. */
export const objectCreatedEvent = (object: ObjectCreated, sequence: number, now: Date): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Object Created',
  source: 'aws.s3',
  account: ACCOUNT,
  time: now.toISOString().replace(/\.\d+Z$/, 'Z'),
  region: REGION,
  resources: [`arn:aws:s3:::${object.bucket}`],
  detail: {
    version: '0',
    bucket: { name: object.bucket },
    object: {
      key: object.key,
      size: object.size,
      etag: object.etag,
      sequencer: (BigInt(now.getTime()) * 65_536n + BigInt(sequence % 65_536))
        .toString(16)
        .padStart(18, '0')
        .toUpperCase(),
    },
    'request-id': randomUUID(),
    requester: ACCOUNT,
    'source-ip-address': '127.0.0.1',
    reason: object.reason,
  },
});
