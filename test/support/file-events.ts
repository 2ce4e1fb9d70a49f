import type { Cloud } from '../../local/cloud/cloud.ts';
import { fileTransferEvent, type FileDeed } from '../../local/services/events/file-transfer.ts';

/** Says on the bus, as the SFTP server would, what was done to a file. */
export const tellOfFile = async ({ deployment, parts }: Cloud, deed: FileDeed): Promise<void> => {
  const serverId = deployment.servers[0]?.attributes['ServerId'] ?? '';
  const ended = Date.now();
  const story = {
    serverId,
    username: 'demo',
    sessionId: 'test',
    clientIp: '127.0.0.1',
    started: ended,
    ended,
  };
  await parts.bus.put(fileTransferEvent(story, deed));
};
