import type { Cloud } from '../../local/cloud/cloud.ts';
import { fileTransferEvent, type FileOperation } from '../../local/services/events/file-transfer.ts';

/** Publishes the event that the SFTP server publishes after an operation on a file. */
export const tellOfFile = async ({ deployment, parts }: Cloud, operation: FileOperation): Promise<void> => {
  const serverId = deployment.servers[0]?.attributes['ServerId'] ?? '';
  const ended = Date.now();
  const context = {
    serverId,
    username: 'demo',
    sessionId: 'test',
    clientIp: '127.0.0.1',
    started: ended,
    ended,
  };
  await parts.bus.put(fileTransferEvent(context, operation));
};
