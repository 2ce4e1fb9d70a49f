import { SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import type { QueueTrigger } from '../../functions/entry.ts';
import type { DirectQueue } from '../../local/services/sqs/sqs.ts';
import type { TestService } from './service.ts';

/** The dead letters of a queue. */
export const deadLettersOf = ({ cloud }: TestService, queue: QueueTrigger['queue']): DirectQueue => {
  const { deployment, parts } = cloud;
  const found = deployment.queues.find(({ name }) => name.includes(`-${queue}-dead-letters`));
  if (!found) throw new Error(`${queue} has no dead letters`);
  return parts.storage.sqs.queue(found.name);
};

/** Redrives dead letters as the runbook says: `aws sqs start-message-move-task` with a destination. */
export const redrive = async (service: TestService, queue: QueueTrigger['queue']): Promise<void> => {
  const { cloud } = service;
  const credentials = { accessKeyId: 'redriver', secretAccessKey: 'redriver' };
  const statement = { effect: 'Allow', actions: ['sqs:*'], resources: ['*'], conditions: {} } as const;
  const principal = 'arn:aws:iam::000000000000:user/redriver';
  cloud.gateway.registerCaller({ ...credentials, name: 'redriver', principal, policy: [statement] });
  const client = new SQSClient({ region: 'us-east-1', endpoint: cloud.awsEndpoint, credentials });
  const SourceArn = deadLettersOf(service, queue).arn;
  const DestinationArn = SourceArn.replace('-dead-letters', '');
  await client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
};
