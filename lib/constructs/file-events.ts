/** File events: rules that send the events of arrived files into queues. */
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import { physicalName, type Service } from './service.ts';
import type { WorkQueue } from './work-queue.ts';

interface FileEventsProps {
  readonly service: Service;
  /** Last part of the rule's name. */
  readonly name: string;
  readonly description: string;
  readonly pattern: Readonly<Record<string, unknown>>;
  readonly to: WorkQueue;
}

/**
 * Sends events of arrived files into a queue. Undeliverable events go to its dead-letter queue. The messages have no
 * message group: EventBridge can only set a constant group, and forwarding a message would cost as much as handling it.
 * The consumers of these messages are fast and have no concurrency limit, so no backlog builds up. They queue further
 * work with the property as message group. The same holds for Scheduler's messages to `exportRuns`. Returns the name of
 * the rule.
 */
const fileEvents = (scope: Construct, id: string, props: FileEventsProps): string => {
  const { queue, deadLetters } = props.to;
  const name = physicalName(props.service.stage, props.name);
  const rule = new CfnRule(scope, `${id}Rule`, {
    name,
    description: props.description,
    eventPattern: props.pattern,
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
        sid: `${id}Events`,
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [target.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
      }),
    );
  }
  return name;
};

/**
 * Events of files that clients upload to presigned URLs. S3 publishes events of SFTP objects too, including broken
 * uploads; this rule excludes them. Returns the name of the rule.
 */
export const uploadEvents = (scope: Construct, service: Service, uploads: string, to: WorkQueue): string =>
  fileEvents(scope, 'Upload', {
    service,
    name: 'uploads',
    description: 'Files uploaded to pre-signed addresses become imports',
    pattern: {
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [uploads] }, object: { key: [{ prefix: 'uploads/' }] } },
    },
    to,
  });

/**
 * Events of files that SFTP completed, broke off or renamed, and, for the audit log, of files that SFTP read or removed.
 * Returns the name of the rule.
 */
export const sftpEvents = (scope: Construct, service: Service, serverId: string, to: WorkQueue): string =>
  fileEvents(scope, 'Sftp', {
    service,
    name: 'sftp',
    description: 'Files sent over SFTP become imports; what is done to files is in the audit log',
    pattern: {
      source: ['aws.transfer'],
      'detail-type': [
        'SFTP Server File Upload Completed',
        'SFTP Server File Upload Failed',
        'SFTP Server File Rename Completed',
        'SFTP Server File Download Completed',
        'SFTP Server File Download Failed',
        'SFTP Server File Delete Completed',
      ],
      detail: { 'server-id': [serverId] },
    },
    to,
  });
