import { CfnRule } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { limits } from '../config/limits.ts';
import { physicalName } from './service.ts';
import type { Service } from './service.ts';
import type { WorkQueue } from './work-queue.ts';

/** Sends word of every new object of the uploads bucket into a queue; what can't be sent goes to its dead letters. */
export const uploadEvents = (
  scope: Construct,
  { stage }: Service,
  uploads: string,
  { queue, deadLetters }: WorkQueue,
): void => {
  const rule = new CfnRule(scope, 'UploadRule', {
    name: physicalName(stage, 'uploads'),
    description: 'New objects of the uploads bucket become imports',
    eventPattern: {
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [uploads] } },
    },
    targets: [
      {
        id: 'Queue',
        arn: queue.queueArn,
        deadLetterConfig: { arn: deadLetters.queueArn },
        retryPolicy: {
          maximumRetryAttempts: limits.events.retries,
          maximumEventAgeInSeconds: limits.events.maxAgeSeconds,
        },
      },
    ],
  });
  for (const target of [queue, deadLetters]) {
    target.addToResourcePolicy(
      new PolicyStatement({
        sid: 'UploadEvents',
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [target.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
      }),
    );
  }
};
