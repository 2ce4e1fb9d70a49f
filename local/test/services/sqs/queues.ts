import { SQSClient } from '@aws-sdk/client-sqs';
import { createSqs, type SqsOptions } from '../../../services/sqs/sqs.ts';
import { clientOf, startGateway } from '../../gateway/cloud.ts';

/** Starts SQS behind a gateway, with a client. */
export const startSqs = async (options: Partial<SqsOptions> = {}) => {
  const gateway = await startGateway([]);
  const sqs = createSqs({ origin: gateway.url, ...options });
  gateway.addService(sqs.service);
  const client = new SQSClient(clientOf(gateway));
  const stop = async (): Promise<void> => {
    client.destroy();
    await gateway.close();
    sqs.close();
  };
  return { sqs, gateway, client, stop };
};
