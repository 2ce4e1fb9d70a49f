/** Deployment losses: resources and settings of the deployed stacks that a deployment would remove. */
import * as v from 'valibot';
import { settingsMetadata } from '../lib/config/settings.ts';

const Properties = v.record(v.string(), v.unknown());

/** A CloudFormation template, as far as the comparison reads it. */
export const templateSchema = v.looseObject({
  Metadata: v.optional(v.record(v.string(), v.unknown()), {}),
  Resources: v.record(
    v.string(),
    v.looseObject({
      Type: v.string(),
      Properties: v.optional(Properties, {}),
      DeletionPolicy: v.optional(v.string(), 'Delete'),
    }),
  ),
});
export type Template = v.InferOutput<typeof templateSchema>;
type Resource = Template['Resources'][string];

/** Templates by the names of their stacks. */
export type Templates = ReadonlyMap<string, Template>;

const Deployment = v.object({
  given: v.optional(Properties, {}),
  environment: v.optional(v.object({ account: v.string(), region: v.string() })),
});

/** The settings of a deployment, and its account and region if the synthesis knew them. */
export type DeploymentFacts = v.InferOutput<typeof Deployment>;

/** Reads the settings of a deployment from the metadata of its templates. */
export const factsOf = (templates: Templates): DeploymentFacts => {
  const found = [...templates.values()].map(({ Metadata }) => Metadata[settingsMetadata]);
  return v.parse(Deployment, found.find((one) => one !== undefined) ?? {});
};

/** A resource that holds something that no deployment brings back, and what that is. */
interface Precious {
  /** Properties that tell one resource from another, the name first. Without any, the logical id does. */
  readonly identity: readonly string[];
  readonly what: (name: string) => string;
}

/** The begin of the sentence about the loss of a table, up to its logical id. */
export const sentenceOfTable = (name: string): string => `the table ${name} (`;

const precious: Readonly<Record<string, Precious>> = {
  'AWS::Transfer::Server': { identity: [], what: () => 'the SFTP server with its address and host key' },
  'AWS::ApiGatewayV2::Api': { identity: [], what: () => 'the HTTP API with its address' },
  'AWS::ApiGatewayV2::DomainName': {
    identity: ['DomainName'],
    what: (name) => `the domain ${name} with the target of its DNS record`,
  },
  'AWS::KMS::Key': { identity: [], what: () => 'a key' },
  'AWS::SNS::Subscription': {
    identity: ['Endpoint', 'TopicArn'],
    what: (to) => `the mails about alarms to ${to}`,
  },
  'AWS::SNS::Topic': { identity: ['TopicName'], what: (name) => `the topic ${name} with its subscriptions` },
  'AWS::DynamoDB::Table': { identity: ['TableName'], what: (name) => `the table ${name}` },
  'AWS::S3::Bucket': { identity: ['BucketName'], what: (name) => `the bucket ${name}` },
  'AWS::SQS::Queue': { identity: ['QueueName'], what: (name) => `the queue ${name} with its messages` },
  'AWS::Scheduler::ScheduleGroup': {
    identity: ['Name'],
    what: (name) => `the schedules of clients in the group ${name}`,
  },
  'AWS::Logs::LogGroup': { identity: ['LogGroupName'], what: (name) => `the log ${name}` },
};

const Joined = v.object({ 'Fn::Join': v.tuple([v.string(), v.array(v.unknown())]) });
const Referred = v.object({ Ref: v.string() });

/** A property as text, with the account and the region of the deployment instead of references to them. */
const textOf = (value: unknown, environment: DeploymentFacts['environment']): string => {
  if (typeof value === 'string') return value;
  if (v.is(Referred, value)) {
    if (value.Ref === 'AWS::AccountId') return environment?.account ?? value.Ref;
    if (value.Ref === 'AWS::Region') return environment?.region ?? value.Ref;
  }
  if (v.is(Joined, value)) {
    const [separator, parts] = value['Fn::Join'];
    return parts.map((part) => textOf(part, environment)).join(separator);
  }
  return JSON.stringify(value ?? '');
};

interface Held {
  /** Two templates have the same resource exactly when the ids are equal. */
  readonly id: string;
  readonly sentence: string;
}

const heldBy = (templates: Templates, environment: DeploymentFacts['environment']): readonly Held[] =>
  [...templates].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).flatMap(([logicalId, resource]): Held[] => {
      const kind = precious[resource.Type];
      if (kind === undefined) return [];
      const identity = kind.identity.map((name) => textOf(resource.Properties[name], environment));
      const id = identity.length === 0 ? `${stack}/${logicalId}` : identity.join(' ');
      const sentence = `${kind.what(identity[0] ?? '')} (${logicalId}): ${endOf(resource)}`;
      return [{ id: `${resource.Type} ${id}`, sentence }];
    }),
  );

const endOf = ({ DeletionPolicy }: Resource): string =>
  DeletionPolicy.startsWith('Retain') ? 'kept, but no longer part of the stage' : 'deleted';

/** Settings of an incident, whose end takes nothing away. */
const opening: ReadonlySet<string> = new Set(['closed', 'gradualShift']);

/**
 * What a deployment of `next` would take away, one line each: resources that no later deployment brings back as they
 * were, and settings that are undone.
 */
export const lossesOf = (deployed: Templates, next: Templates): readonly string[] => {
  const [before, after] = [factsOf(deployed), factsOf(next)];
  const environment = after.environment ?? before.environment;
  const remaining = new Set(heldBy(next, environment).map(({ id }) => id));
  const resources = heldBy(deployed, environment).filter(({ id }) => !remaining.has(id));
  const settings = Object.entries(before.given).filter(
    ([name]) => !(name in after.given) && !opening.has(name),
  );
  return [
    ...resources.map(({ sentence }) => sentence),
    ...settings.map(([name, value]) => `the setting ${name} (${JSON.stringify(value)}): undone`),
  ];
};
