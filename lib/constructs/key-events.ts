/** Key events: a page when somebody takes a key out of service, which no metric tells. */
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** The calls after which nobody can use a key, or somebody else can. */
const calls = ['DisableKey', 'ScheduleKeyDeletion', 'PutKeyPolicy'];

interface KeyEventsProps {
  readonly stage: Stage;
  /** ARNs of the keys. */
  readonly keys: readonly string[];
  /** The topic of pages. */
  readonly to: Topic;
}

/** The name of the rule, which the alarm on lost events also watches. */
export const keyRuleName = (stage: Stage): string => physicalName(stage, 'keys');

/**
 * Publishes a page for each such call to one of the keys. CloudTrail tells EventBridge of it, if the account has a trail of
 * management events.
 */
export const keyEvents = (scope: Construct, { stage, keys, to }: KeyEventsProps): void => {
  const rule = new CfnRule(scope, 'KeyRule', {
    name: keyRuleName(stage),
    description: 'A key that is disabled, deleted or gets another policy is a page',
    eventPattern: {
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: { eventSource: ['kms.amazonaws.com'], eventName: calls, resources: { ARN: keys } },
    },
    targets: [
      {
        id: 'Pages',
        arn: to.topicArn,
        inputTransformer: {
          inputPathsMap: {
            call: '$.detail.eventName',
            key: '$.detail.resources[0].ARN',
            by: '$.detail.userIdentity.arn',
          },
          inputTemplate:
            '"Page: <call> of the key <key> by <by>. What to do: docs/runbook.md#a-key-is-disabled"',
        },
        retryPolicy: {
          maximumRetryAttempts: limits.events.retries,
          maximumEventAgeInSeconds: limits.events.maxAgeSeconds,
        },
      },
    ],
  });
  to.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [to.topicArn],
      conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
    }),
  );
};
