import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import type { AwsRequest, NeededPermission } from '../../core/types.ts';
import { jsonBody, targetOperation } from '../../core/json-protocol.ts';
import { queueName } from './inputs.ts';

const Location = v.object({
  QueueUrl: v.optional(v.string()),
  QueueName: v.optional(v.string()),
  SourceArn: v.optional(v.string()),
  DestinationArn: v.optional(v.string()),
});

/** A batch needs the permission of its single operation. */
const single = (operation: string): string => `sqs:${operation.replace(/Batch$/, '')}`;

/**
 * The permissions of an SQS call: its action on its queue. A message move also needs the permissions to receive, delete
 * and send.
 */
export const permissionsOf = (request: AwsRequest): NeededPermission[] => {
  const operation = targetOperation(request);
  const location = v.safeParse(Location, jsonBody(request));
  const { QueueUrl, QueueName, SourceArn, DestinationArn } = location.success ? location.output : {};
  const name = queueName(QueueUrl ?? QueueName ?? SourceArn ?? '*');
  const own = { action: single(operation), resource: arn('sqs', name) };
  if (operation !== 'StartMessageMoveTask') return [own];
  const sides = ['sqs:ReceiveMessage', 'sqs:DeleteMessage'].map((action) => ({
    action,
    resource: own.resource,
  }));
  const target =
    DestinationArn === undefined ? [] : [{ action: 'sqs:SendMessage', resource: DestinationArn }];
  return [own, ...sides, ...target];
};
