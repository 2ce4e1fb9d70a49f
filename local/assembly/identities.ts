/** Resource identities: the physical names, ARNs and ids that each resource type returns for `Ref` and `Fn::GetAtt`. */
import { generatedHex, generatedId, generatedName, generatedUuid, type Place } from './naming.ts';
import { ACCOUNT, REGION, arn } from '../core/arn.ts';

/** The identity of a resource: the results of `Ref` and `Fn::GetAtt`. */
export interface Identity {
  readonly name: string;
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The input of an identity. `given` reads a string property of the resource after resolution. */
interface IdentityInput {
  readonly place: Place;
  /** Origin of the queue URLs: the gateway or AWS. */
  readonly queueOrigin: string;
  readonly given: (property: string) => string | undefined;
}

type Identify = (input: IdentityInput) => Identity;

const named = (property: string, describe: (name: string) => Omit<Identity, 'name'>): Identify => {
  return ({ place, given }) => {
    const name = given(property) ?? generatedName(place);
    return { name, ...describe(name) };
  };
};

/** CloudFormation chooses the name, and no other resource refers to the attributes. */
const anonymous: Identify = ({ place }) => ({
  name: generatedName(place),
  ref: generatedName(place),
  attributes: {},
});

const byName = (property: string, service: string, prefix: string, suffix = ''): Identify =>
  named(property, (name) => ({ ref: name, attributes: { Arn: arn(service, prefix + name + suffix) } }));

const bucket: Identify = ({ place, given }) => {
  const name = given('BucketName') ?? generatedName(place).toLowerCase();
  const attributes = {
    Arn: `arn:aws:s3:::${name}`,
    DomainName: `${name}.s3.amazonaws.com`,
    RegionalDomainName: `${name}.s3.${REGION}.amazonaws.com`,
  };
  return { name, ref: name, attributes };
};

const queue: Identify = ({ place, given, queueOrigin }) => {
  const suffix = given('FifoQueue') === 'true' ? '.fifo' : '';
  const name = given('QueueName') ?? generatedName(place) + suffix;
  const url = `${queueOrigin}/${ACCOUNT}/${name}`;
  return { name, ref: url, attributes: { Arn: arn('sqs', name), QueueName: name, QueueUrl: url } };
};

const key: Identify = ({ place }) => {
  const id = generatedUuid(place);
  return { name: id, ref: id, attributes: { Arn: arn('kms', `key/${id}`), KeyId: id } };
};

const role: Identify = named('RoleName', (name) => ({
  ref: name,
  attributes: { Arn: `arn:aws:iam::${ACCOUNT}:role/${name}`, RoleId: name },
}));

const api: Identify = ({ place }) => {
  const id = generatedId(place);
  const endpoint = `https://${id}.execute-api.${REGION}.amazonaws.com`;
  return { name: id, ref: id, attributes: { ApiId: id, ApiEndpoint: endpoint } };
};

const partOfApi =
  (attribute: string): Identify =>
  ({ place }) => {
    const id = generatedId(place);
    return { name: id, ref: id, attributes: { [attribute]: id } };
  };

const schedule: Identify = ({ place, given }) => {
  const name = given('Name') ?? generatedName(place);
  const group = given('GroupName') ?? 'default';
  return { name, ref: name, attributes: { Arn: arn('scheduler', `schedule/${group}/${name}`) } };
};

const transferServer: Identify = ({ place }) => {
  const id = `s-${generatedHex(place, 17)}`;
  return {
    name: id,
    ref: arn('transfer', `server/${id}`),
    attributes: { Arn: arn('transfer', `server/${id}`), ServerId: id },
  };
};

const mapping: Identify = ({ place }) => {
  const id = generatedUuid(place);
  return { name: id, ref: id, attributes: { Id: id } };
};

const functionAlias: Identify = ({ place, given }) => {
  const name = given('Name') ?? generatedName(place);
  const aliasArn = arn('lambda', `function:${given('FunctionName') ?? ''}:${name}`);
  return { name, ref: aliasArn, attributes: { AliasArn: aliasArn } };
};

/** Each deployment here is the first. */
const functionVersion: Identify = ({ place, given }) => ({
  name: generatedName(place),
  ref: arn('lambda', `function:${given('FunctionName') ?? ''}:1`),
  attributes: { Version: '1' },
});

/** The identity of each supported resource type. The loader refuses other types. */
export const identities: Readonly<Record<string, Identify>> = {
  'AWS::ApiGatewayV2::Api': api,
  'AWS::ApiGatewayV2::ApiMapping': anonymous,
  'AWS::ApiGatewayV2::DomainName': named('DomainName', (name) => ({
    ref: name,
    attributes: { RegionalDomainName: `d-${name}`, RegionalHostedZoneId: 'Z00000000000000000000' },
  })),
  'AWS::ApiGatewayV2::Integration': partOfApi('IntegrationId'),
  'AWS::ApiGatewayV2::Route': partOfApi('RouteId'),
  'AWS::ApiGatewayV2::Stage': named('StageName', (name) => ({ ref: name, attributes: {} })),
  'AWS::Budgets::Budget': anonymous,
  'AWS::CDK::Metadata': anonymous,
  'AWS::CE::AnomalyMonitor': named('MonitorName', (name) => ({
    ref: arn('ce', name),
    attributes: { MonitorArn: arn('ce', name) },
  })),
  'AWS::CE::AnomalySubscription': anonymous,
  'AWS::CloudWatch::Alarm': byName('AlarmName', 'cloudwatch', 'alarm:'),
  'AWS::CloudWatch::Dashboard': byName('DashboardName', 'cloudwatch', 'dashboard/'),
  'AWS::CodeDeploy::Application': named('ApplicationName', (name) => ({ ref: name, attributes: {} })),
  'AWS::CodeDeploy::DeploymentGroup': named('DeploymentGroupName', (name) => ({ ref: name, attributes: {} })),
  'AWS::DynamoDB::Table': byName('TableName', 'dynamodb', 'table/'),
  'AWS::Events::Rule': byName('Name', 'events', 'rule/'),
  'AWS::IAM::Policy': anonymous,
  'AWS::IAM::Role': role,
  'AWS::KMS::Alias': named('AliasName', (name) => ({ ref: name, attributes: {} })),
  'AWS::KMS::Key': key,
  'AWS::Lambda::Alias': functionAlias,
  'AWS::Lambda::EventSourceMapping': mapping,
  'AWS::Lambda::Function': byName('FunctionName', 'lambda', 'function:'),
  'AWS::Lambda::Permission': anonymous,
  'AWS::Lambda::Version': functionVersion,
  'AWS::Logs::LogGroup': byName('LogGroupName', 'logs', 'log-group:', ':*'),
  'AWS::Logs::MetricFilter': anonymous,
  'AWS::Logs::SubscriptionFilter': named('FilterName', (name) => ({ ref: name, attributes: {} })),
  'AWS::S3::Bucket': bucket,
  'AWS::S3::BucketPolicy': anonymous,
  'AWS::SNS::Subscription': anonymous,
  'AWS::SNS::Topic': named('TopicName', (name) => ({
    ref: arn('sns', name),
    attributes: { TopicArn: arn('sns', name), TopicName: name },
  })),
  'AWS::SNS::TopicPolicy': anonymous,
  'AWS::SQS::Queue': queue,
  'AWS::SQS::QueuePolicy': anonymous,
  'AWS::Scheduler::Schedule': schedule,
  'AWS::Scheduler::ScheduleGroup': byName('Name', 'scheduler', 'schedule-group/'),
  'AWS::StepFunctions::StateMachine': named('StateMachineName', (name) => ({
    ref: arn('states', `stateMachine:${name}`),
    attributes: { Arn: arn('states', `stateMachine:${name}`), Name: name },
  })),
  'AWS::Transfer::Server': transferServer,
};
