/** What CloudFormation does with the resources of the stacks, as IAM sees it. */
import * as v from 'valibot';
import type { ResolvedResource } from '../../local/assembly/resolution.ts';

/** Region and account of the synthesized stacks. */
export const here = 'us-east-1:000000000000';
const text = (resource: ResolvedResource, property: string): string =>
  v.parse(v.string(), resource.properties[property]);
/** The ARN of a resource. */
export const own = ({ attributes }: ResolvedResource): string =>
  v.parse(v.string(), attributes['Arn']).replace(/:\*$/, '');
const api = (path: string) => (): string => `arn:aws:apigateway:us-east-1::/apis/${path}`;
const everywhere = (): string => '*';

/** What CloudFormation does with a resource of a type, and the resource of IAM on which it does it. */
export interface Control {
  readonly arn: (resource: ResolvedResource) => string;
  readonly actions: string;
}

const routes = { actions: 'apigateway:POST GET PATCH DELETE' };
const controls: Readonly<Record<string, readonly Control[]>> = {
  'AWS::ApiGatewayV2::Api': [{ arn: api('a'), actions: 'apigateway:POST GET PATCH DELETE TagResource' }],
  'AWS::ApiGatewayV2::ApiMapping': [
    { ...routes, arn: () => 'arn:aws:apigateway:us-east-1::/domainnames/a/apimappings/b' },
  ],
  'AWS::ApiGatewayV2::DomainName': [
    {
      arn: ({ ref }) => `arn:aws:apigateway:us-east-1::/domainnames/${ref}`,
      actions: 'apigateway:POST GET PATCH DELETE TagResource',
    },
    {
      arn: () =>
        'arn:aws:iam::000000000000:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway',
      actions: 'iam:CreateServiceLinkedRole',
    },
  ],
  'AWS::ApiGatewayV2::Integration': [{ ...routes, arn: api('a/integrations/b') }],
  'AWS::ApiGatewayV2::Route': [{ ...routes, arn: api('a/routes/b') }],
  'AWS::ApiGatewayV2::Stage': [
    { ...routes, arn: api('a/stages/$default') },
    {
      arn: everywhere,
      actions:
        'logs:CreateLogDelivery UpdateLogDelivery DeleteLogDelivery PutResourcePolicy DescribeResourcePolicies',
    },
  ],
  'AWS::Budgets::Budget': [
    {
      arn: () => 'arn:aws:budgets::000000000000:budget/tidemark-prod-budget',
      actions: 'budgets:ModifyBudget ViewBudget',
    },
  ],
  'AWS::CE::AnomalyMonitor': [
    {
      arn: everywhere,
      actions:
        'ce:CreateAnomalyMonitor GetAnomalyMonitors UpdateAnomalyMonitor DeleteAnomalyMonitor TagResource',
    },
  ],
  'AWS::CE::AnomalySubscription': [
    {
      arn: everywhere,
      actions:
        'ce:CreateAnomalySubscription GetAnomalySubscriptions UpdateAnomalySubscription DeleteAnomalySubscription',
    },
  ],
  'AWS::CloudWatch::Alarm': [
    { arn: own, actions: 'cloudwatch:PutMetricAlarm DeleteAlarms TagResource ListTagsForResource' },
    { arn: everywhere, actions: 'cloudwatch:DescribeAlarms' },
  ],
  'AWS::CloudWatch::Dashboard': [
    {
      arn: (one) => own(one).replace(here, ':000000000000'),
      actions: 'cloudwatch:PutDashboard GetDashboard DeleteDashboards',
    },
  ],
  'AWS::CodeDeploy::Application': [
    {
      arn: (one) => `arn:aws:codedeploy:${here}:application:${one.ref}`,
      actions:
        'codedeploy:CreateApplication GetApplication DeleteApplication TagResource RegisterApplicationRevision',
    },
  ],
  'AWS::CodeDeploy::DeploymentGroup': [
    {
      arn: (one) => `arn:aws:codedeploy:${here}:deploymentgroup:${text(one, 'ApplicationName')}/${one.ref}`,
      actions: 'codedeploy:CreateDeploymentGroup DeleteDeploymentGroup CreateDeployment GetDeployment',
    },
  ],
  'AWS::DynamoDB::Table': [
    {
      arn: own,
      actions:
        'dynamodb:CreateTable DescribeTable UpdateTable DeleteTable UpdateTimeToLive UpdateContinuousBackups TagResource',
    },
  ],
  'AWS::Events::Rule': [
    {
      arn: own,
      actions: 'events:PutRule DescribeRule PutTargets RemoveTargets DeleteRule',
    },
  ],
  'AWS::IAM::Role': [
    {
      arn: own,
      actions:
        'iam:CreateRole GetRole PutRolePolicy GetRolePolicy DeleteRolePolicy DeleteRole TagRole UpdateAssumeRolePolicy PassRole',
    },
  ],
  // The first multi-region key of an account makes a role of KMS (KMS Developer Guide, "Create multi-Region primary keys").
  'AWS::KMS::Key': [
    {
      arn: () =>
        'arn:aws:iam::000000000000:role/aws-service-role/mrk.kms.amazonaws.com/AWSServiceRoleForKeyManagementServiceMultiRegionKeys',
      actions: 'iam:CreateServiceLinkedRole',
    },
    { arn: everywhere, actions: 'kms:CreateKey TagResource' },
    {
      arn: own,
      actions:
        'kms:DescribeKey PutKeyPolicy EnableKeyRotation ScheduleKeyDeletion CreateGrant GenerateDataKey Decrypt',
    },
  ],
  'AWS::Lambda::Alias': [
    { arn: ({ ref }) => ref, actions: 'lambda:CreateAlias GetAlias UpdateAlias DeleteAlias' },
  ],
  'AWS::Lambda::EventSourceMapping': [
    { arn: everywhere, actions: 'lambda:CreateEventSourceMapping GetEventSourceMapping' },
    {
      arn: ({ ref }) => `arn:aws:lambda:${here}:event-source-mapping:${ref}`,
      actions: 'lambda:UpdateEventSourceMapping DeleteEventSourceMapping TagResource',
    },
  ],
  'AWS::Lambda::Function': [
    {
      arn: own,
      actions:
        'lambda:CreateFunction GetFunction UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction PutFunctionConcurrency PutFunctionRecursionConfig TagResource',
    },
    {
      arn: () => 'arn:aws:s3:::cdk-hnb659fds-assets-000000000000-us-east-1/code.zip',
      actions: 's3:GetObject',
    },
  ],
  'AWS::Lambda::Permission': [
    {
      arn: (one) =>
        `arn:aws:lambda:${here}:function:${text(one, 'FunctionName').replace(/^.*:function:/, '')}`,
      actions: 'lambda:AddPermission GetPolicy RemovePermission',
    },
  ],
  'AWS::Lambda::Version': [
    {
      arn: ({ ref }) => ref,
      actions: 'lambda:PublishVersion ListVersionsByFunction DeleteFunction',
    },
  ],
  'AWS::Logs::LogGroup': [
    {
      arn: own,
      actions:
        'logs:CreateLogGroup PutRetentionPolicy DeleteLogGroup GetDataProtectionPolicy TagResource ListTagsForResource',
    },
  ],
  'AWS::Logs::MetricFilter': [
    {
      arn: (one) => `arn:aws:logs:${here}:log-group:${text(one, 'LogGroupName')}`,
      actions: 'logs:PutMetricFilter DescribeMetricFilters DeleteMetricFilter',
    },
  ],
  'AWS::Logs::SubscriptionFilter': [
    {
      arn: (one) => `arn:aws:logs:${here}:log-group:${text(one, 'LogGroupName')}`,
      actions: 'logs:PutSubscriptionFilter DescribeSubscriptionFilters DeleteSubscriptionFilter',
    },
  ],
  'AWS::S3::Bucket': [
    {
      arn: own,
      actions:
        's3:CreateBucket DeleteBucket PutEncryptionConfiguration PutLifecycleConfiguration PutBucketPublicAccessBlock PutBucketNotification PutBucketOwnershipControls PutBucketLogging PutBucketTagging PutBucketVersioning GetBucketLocation',
    },
  ],
  'AWS::S3::BucketPolicy': [
    {
      arn: (one) => `arn:aws:s3:::${text(one, 'Bucket')}`,
      actions: 's3:PutBucketPolicy GetBucketPolicy DeleteBucketPolicy',
    },
  ],
  'AWS::SNS::Subscription': [
    { arn: (one) => text(one, 'TopicArn'), actions: 'sns:Subscribe ListSubscriptionsByTopic' },
    { arn: everywhere, actions: 'sns:Unsubscribe GetSubscriptionAttributes' },
  ],
  'AWS::SNS::Topic': [
    {
      arn: (one) => one.ref,
      actions: 'sns:CreateTopic GetTopicAttributes SetTopicAttributes DeleteTopic TagResource',
    },
  ],
  'AWS::SNS::TopicPolicy': [
    {
      arn: () => `arn:aws:sns:${here}:tidemark-prod-pages`,
      actions: 'sns:SetTopicAttributes GetTopicAttributes',
    },
  ],
  'AWS::SQS::Queue': [
    {
      arn: own,
      actions:
        'sqs:CreateQueue GetQueueAttributes GetQueueUrl SetQueueAttributes DeleteQueue TagQueue ListQueueTags',
    },
  ],
  'AWS::SQS::QueuePolicy': [
    {
      arn: () => `arn:aws:sqs:${here}:tidemark-prod-drains`,
      actions: 'sqs:SetQueueAttributes',
    },
  ],
  'AWS::Scheduler::Schedule': [
    {
      arn: own,
      actions: 'scheduler:CreateSchedule GetSchedule UpdateSchedule DeleteSchedule',
    },
  ],
  'AWS::Scheduler::ScheduleGroup': [
    {
      arn: own,
      actions: 'scheduler:CreateScheduleGroup GetScheduleGroup DeleteScheduleGroup TagResource',
    },
  ],
  'AWS::StepFunctions::StateMachine': [
    {
      arn: own,
      actions:
        'states:CreateStateMachine DescribeStateMachine UpdateStateMachine DeleteStateMachine TagResource',
    },
  ],
  'AWS::Transfer::Server': [
    { arn: everywhere, actions: 'transfer:CreateServer' },
    { arn: own, actions: 'transfer:DescribeServer UpdateServer DeleteServer TagResource' },
  ],
};

/** The controls of a type. Throws for a type that nobody has described. */
export const controlsOf = (type: string): readonly Control[] => {
  const found = controls[type];
  if (found === undefined) throw new Error(`test/infra/policy-controls.ts says nothing of ${type}`);
  return found;
};

/** `a:B C` as `a:B` and `a:C`. */
export const spelt = (actions: string): readonly string[] => {
  const [service = '', verbs = ''] = actions.split(':');
  return verbs.split(' ').map((verb) => `${service}:${verb}`);
};
