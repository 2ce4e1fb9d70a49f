import { Aws } from 'aws-cdk-lib/core';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** The encrypted topic of all alarms. When the stage has an alarm address, the topic sends mails to it. */
export const alarmTopic = (scope: Construct, stage: Stage, masterKey: IKey): Topic => {
  const topic = new Topic(scope, 'Topic', {
    topicName: physicalName(stage, 'alarms'),
    masterKey,
    enforceSSL: true,
  });
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
    new CfnSubscription(scope, 'Mail', {
      topicArn: topic.topicArn,
      protocol: 'email',
      endpoint: stage.alarmEmail,
    });
  }
  return topic;
};
