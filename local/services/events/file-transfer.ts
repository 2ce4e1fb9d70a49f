import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION, arn } from '../../core/arn.ts';
import type { BusEvent } from './object-created.ts';

/** Who did something over SFTP, and when it began and ended (epoch milliseconds). */
export interface TransferStory {
  readonly serverId: string;
  readonly username: string;
  readonly sessionId: string;
  readonly clientIp: string;
  readonly started: number;
  readonly ended: number;
}

/** What was done to a file; paths are `/<bucket>/<key>`, etags without quotes. */
export type FileDeed =
  | { readonly kind: 'sent'; readonly path: string; readonly bytes: number; readonly etag: string }
  | { readonly kind: 'broken'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'read' | 'partly_read'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'removed'; readonly path: string };

/** Makes the event that Transfer Family sends to EventBridge. */
export const fileTransferEvent = (story: TransferStory, deed: FileDeed): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': `SFTP Server File ${endings[deed.kind]}`,
  source: 'aws.transfer',
  account: ACCOUNT,
  time: new Date(story.ended).toISOString().replace(/\.\d+Z$/, 'Z'),
  region: REGION,
  resources: [arn('transfer', `server/${story.serverId}`)],
  detail: {
    ...detailOf(deed),
    protocol: 'SFTP',
    'client-ip': story.clientIp,
    'server-id': story.serverId,
    username: story.username,
    'session-id': story.sessionId,
    'start-timestamp': new Date(story.started).toISOString(),
    'end-timestamp': new Date(story.ended).toISOString(),
  },
});

const endings = {
  sent: 'Upload Completed',
  broken: 'Upload Failed',
  renamed: 'Rename Completed',
  read: 'Download Completed',
  partly_read: 'Download Failed',
  removed: 'Delete Completed',
} as const;

const detailOf = (deed: FileDeed): Readonly<Record<string, unknown>> => {
  switch (deed.kind) {
    case 'sent':
      return { 'status-code': 'COMPLETED', 'file-path': deed.path, bytes: deed.bytes, etag: deed.etag };
    case 'broken':
      return {
        'status-code': 'FAILED',
        'failure-code': 'PARTIAL_UPLOAD',
        'failure-message': 'File was partially uploaded.',
        'file-path': deed.path,
        bytes: deed.bytes,
      };
    case 'renamed':
      return {
        'status-code': 'COMPLETED',
        'original-file-path': deed.from,
        'renamed-file-path': deed.to,
      };
    case 'read':
      return { 'status-code': 'COMPLETED', 'file-path': deed.path, bytes: deed.bytes };
    case 'partly_read':
      return {
        'status-code': 'FAILED',
        'failure-code': 'PARTIAL_DOWNLOAD',
        'failure-message': 'File was partially downloaded.',
        'file-path': deed.path,
        bytes: deed.bytes,
      };
    case 'removed':
      return { 'status-code': 'COMPLETED', 'file-path': deed.path };
  }
};
