import { Aws } from 'aws-cdk-lib/core';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Severity } from '../../functions/entry.ts';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

const names = { page: 'pages', ticket: 'tickets' } as const;

/**
 * The topics of the alarms by their names, for a stack that comes before the one that makes them. CloudWatch looks for a
 * topic when an alarm rings, and not before.
 */
export const alarmTopicArns = (stage: Stage): Readonly<Record<Severity, Pick<Topic, 'topicArn'>>> => {
  const named = (severity: Severity) => ({
    topicArn: `arn:${Aws.PARTITION}:sns:${Aws.REGION}:${Aws.ACCOUNT_ID}:${physicalName(stage, names[severity])}`,
  });
  return { page: named('page'), ticket: named('ticket') };
};

const alarmTopic = (scope: Construct, stage: Stage, severity: Severity): Topic => {
  const name = names[severity];
  const topic = new Topic(scope, name, { topicName: physicalName(stage, name), enforceSSL: true });
  // The default policy of a topic admits CloudWatch. A policy of our own replaces the default.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (stage.alarmEmail !== undefined) {
    new CfnSubscription(scope, `${name}Mail`, {
      topicArn: topic.topicArn,
      protocol: 'email',
      endpoint: stage.alarmEmail,
    });
  }
  return topic;
};

/**
 * The topics of the alarms, one for each severity, so that a pager can subscribe to pages only. When the stage has an alarm
 * address, both topics send mails to it. They use no key of the stage: a page must arrive when a key is what fails. What
 * they carry is in this repository, and SNS keeps it on encrypted disks (SNS guide, "Data encryption").
 */
export const alarmTopics = (scope: Construct, stage: Stage): Readonly<Record<Severity, Topic>> => ({
  page: alarmTopic(scope, stage, 'page'),
  ticket: alarmTopic(scope, stage, 'ticket'),
});
