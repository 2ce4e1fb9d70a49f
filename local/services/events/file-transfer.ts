/** File transfer events: builds the events that Transfer Family sends to EventBridge. */
import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION, arn } from '../../core/arn.ts';
import type { BusEvent } from './object-created.ts';

/** The user and session of an SFTP operation, and when the operation began and ended (epoch milliseconds). */
export interface TransferContext {
  readonly serverId: string;
  readonly username: string;
  readonly sessionId: string;
  readonly clientIp: string;
  readonly started: number;
  readonly ended: number;
}

/** An operation on a file. Paths are `/<bucket>/<key>`; etags have no quotes. */
export type FileOperation =
  | { readonly kind: 'sent'; readonly path: string; readonly bytes: number; readonly etag: string }
  | { readonly kind: 'broken'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'read' | 'partly_read'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'removed'; readonly path: string };

/** Builds the event that Transfer Family sends to EventBridge. */
export const fileTransferEvent = (context: TransferContext, operation: FileOperation): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': `SFTP Server File ${endings[operation.kind]}`,
  source: 'aws.transfer',
  account: ACCOUNT,
  time: new Date(context.ended).toISOString().replace(/\.\d+Z$/, 'Z'),
  region: REGION,
  resources: [arn('transfer', `server/${context.serverId}`)],
  detail: {
    ...detailOf(operation),
    protocol: 'SFTP',
    'client-ip': context.clientIp,
    'server-id': context.serverId,
    username: context.username,
    'session-id': context.sessionId,
    'start-timestamp': new Date(context.started).toISOString(),
    'end-timestamp': new Date(context.ended).toISOString(),
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

const detailOf = (operation: FileOperation): Readonly<Record<string, unknown>> => {
  switch (operation.kind) {
    case 'sent':
      return {
        'status-code': 'COMPLETED',
        'file-path': operation.path,
        bytes: operation.bytes,
        etag: operation.etag,
      };
    case 'broken':
      return {
        'status-code': 'FAILED',
        'failure-code': 'PARTIAL_UPLOAD',
        'failure-message': 'File was partially uploaded.',
        'file-path': operation.path,
        bytes: operation.bytes,
      };
    case 'renamed':
      return {
        'status-code': 'COMPLETED',
        'original-file-path': operation.from,
        'renamed-file-path': operation.to,
      };
    case 'read':
      return { 'status-code': 'COMPLETED', 'file-path': operation.path, bytes: operation.bytes };
    case 'partly_read':
      return {
        'status-code': 'FAILED',
        'failure-code': 'PARTIAL_DOWNLOAD',
        'failure-message': 'File was partially downloaded.',
        'file-path': operation.path,
        bytes: operation.bytes,
      };
    case 'removed':
      return { 'status-code': 'COMPLETED', 'file-path': operation.path };
  }
};
