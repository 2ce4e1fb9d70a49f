import { Aws } from 'aws-cdk-lib/core';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Severity } from '../../functions/entry.ts';
import type { Stage } from '../config/stages.ts';
import type { AlarmTopics } from './alarms.ts';
import { physicalName } from './service.ts';

const names = { page: 'pages', ticket: 'tickets' } as const;

const alarmTopic = (scope: Construct, stage: Stage, masterKey: IKey, severity: Severity): string => {
  const name = names[severity];
  const topic = new Topic(scope, name, { topicName: physicalName(stage, name), masterKey, enforceSSL: true });
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
  return topic.topicArn;
};

/**
 * The encrypted topics of the alarms, one for each severity, so that a pager can subscribe to pages only. When the stage
 * has an alarm address, both topics send mails to it.
 */
export const alarmTopics = (scope: Construct, stage: Stage, key: IKey): AlarmTopics => ({
  page: alarmTopic(scope, stage, key, 'page'),
  ticket: alarmTopic(scope, stage, key, 'ticket'),
});
