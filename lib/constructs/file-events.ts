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
 * Sends word of files that have arrived into a queue; what can't be sent goes to its dead letters. The messages carry no
 * message group: EventBridge can only set a constant one, and forwarding a message would cost as much as handling it. The
 * consumers of such messages are short and have no upper concurrency, so that no backlog builds up; the work that they
 * start is queued with the property as message group. The same holds for Scheduler's messages to `exportRuns`.
 */
const fileEvents = (scope: Construct, id: string, props: FileEventsProps): void => {
  const { queue, deadLetters } = props.to;
  const rule = new CfnRule(scope, `${id}Rule`, {
    name: physicalName(props.service.stage, props.name),
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
};

/** Word of every file uploaded to a pre-signed address. S3 tells of SFTP's objects too, broken ones included: not these. */
export const uploadEvents = (scope: Construct, service: Service, uploads: string, to: WorkQueue): void =>
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

/** Word of every file that came whole over SFTP or got its final name there, and for the audit log of those read or removed. */
export const sftpEvents = (scope: Construct, service: Service, serverId: string, to: WorkQueue): void =>
  fileEvents(scope, 'Sftp', {
    service,
    name: 'sftp',
    description: 'Files sent over SFTP become imports; what is done to files is in the audit log',
    pattern: {
      source: ['aws.transfer'],
      'detail-type': [
        'SFTP Server File Upload Completed',
        'SFTP Server File Rename Completed',
        'SFTP Server File Download Completed',
        'SFTP Server File Download Failed',
        'SFTP Server File Delete Completed',
      ],
      detail: { 'server-id': [serverId] },
    },
    to,
  });
