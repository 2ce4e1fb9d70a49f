/** Deployment: parses and resolves a cloud assembly into typed resources, for the embedded cloud. */
import * as v from 'valibot';
import { readAssembly, type Assembly } from './assembly.ts';
import { missingFromTemplates } from './completeness.ts';
import { resolveAssembly, type ResolvedResource } from './resolution.ts';
import * as compute from './shapes/compute.ts';
import * as data from './shapes/data.ts';
import * as edge from './shapes/edge.ts';
import * as monitoring from './shapes/monitoring.ts';
import { TransferServer } from './shapes/transfer.ts';
import { DeploymentError } from './template.ts';

/** A resource with its final name and its parsed properties. */
interface Deployed<P> extends Omit<ResolvedResource, 'properties'> {
  readonly properties: P;
}

/** Parses the resources of one type. Adds a problem for each property that does not parse. */
class Collector {
  readonly problems: string[] = [];
  private readonly resources: readonly ResolvedResource[];

  constructor(resources: readonly ResolvedResource[]) {
    this.resources = resources;
  }

  of<S extends v.GenericSchema>(type: string, schema: S): readonly Deployed<v.InferOutput<S>>[] {
    return this.resources.flatMap((resource) => {
      if (resource.type !== type) return [];
      const parsed = v.safeParse(schema, resource.properties);
      if (parsed.success) return [{ ...resource, properties: parsed.output }];
      for (const issue of parsed.issues) {
        const where = v.getDotPath(issue) ?? 'properties';
        this.problems.push(`${resource.stack}/${resource.logicalId} (${type}): ${where}: ${issue.message}`);
      }
      return [];
    });
  }
}

const collect = (from: Collector) => ({
  aliases: from.of('AWS::KMS::Alias', data.Alias),
  alarms: from.of('AWS::CloudWatch::Alarm', monitoring.Alarm),
  apis: from.of('AWS::ApiGatewayV2::Api', edge.Api),
  bucketPolicies: from.of('AWS::S3::BucketPolicy', data.BucketPolicy),
  buckets: from.of('AWS::S3::Bucket', data.Bucket),
  dashboards: from.of('AWS::CloudWatch::Dashboard', monitoring.Dashboard),
  functions: from.of('AWS::Lambda::Function', compute.LambdaFunction),
  integrations: from.of('AWS::ApiGatewayV2::Integration', edge.ApiIntegration),
  keys: from.of('AWS::KMS::Key', data.Key),
  logGroups: from.of('AWS::Logs::LogGroup', compute.LogGroup),
  machines: from.of('AWS::StepFunctions::StateMachine', compute.StateMachine),
  mappings: from.of('AWS::Lambda::EventSourceMapping', compute.EventSourceMapping),
  metadata: from.of('AWS::CDK::Metadata', monitoring.Metadata),
  metricFilters: from.of('AWS::Logs::MetricFilter', monitoring.MetricFilter),
  permissions: from.of('AWS::Lambda::Permission', compute.Permission),
  policies: from.of('AWS::IAM::Policy', compute.Policy),
  queuePolicies: from.of('AWS::SQS::QueuePolicy', data.QueuePolicy),
  queues: from.of('AWS::SQS::Queue', data.Queue),
  roles: from.of('AWS::IAM::Role', compute.Role),
  routes: from.of('AWS::ApiGatewayV2::Route', edge.ApiRoute),
  rules: from.of('AWS::Events::Rule', edge.EventsRule),
  scheduleGroups: from.of('AWS::Scheduler::ScheduleGroup', edge.ScheduleGroup),
  schedules: from.of('AWS::Scheduler::Schedule', edge.Schedule),
  servers: from.of('AWS::Transfer::Server', TransferServer),
  stages: from.of('AWS::ApiGatewayV2::Stage', edge.ApiStage),
  subscriptionFilters: from.of('AWS::Logs::SubscriptionFilter', monitoring.SubscriptionFilter),
  subscriptions: from.of('AWS::SNS::Subscription', monitoring.Subscription),
  tables: from.of('AWS::DynamoDB::Table', data.Table),
  topicPolicies: from.of('AWS::SNS::TopicPolicy', monitoring.TopicPolicy),
  topics: from.of('AWS::SNS::Topic', monitoring.Topic),
});

/** All deployed resources, by kind. */
type Resources = ReturnType<typeof collect>;

/** The resources of one kind: `DeployedOf<'queues'>` is a queue. */
export type DeployedOf<K extends keyof Resources> = Resources[K][number];

/** The stacks as the embedded cloud runs them. */
export interface Deployment extends Resources {
  readonly directory: string;
  /** Object key in the asset bucket → directory on disk. */
  readonly assets: Readonly<Record<string, string>>;
  /** The short name of a function, a workflow or a schedule, by which callers and meters know it. */
  readonly shortName: (physicalName: string) => string;
}

/** The location of the deployment. */
export interface DeploymentOptions {
  /** Origin of the queue URLs. The default is the origin of AWS. */
  readonly queueOrigin?: string;
  /** Origin of the API, which replaces `SOME_ORIGIN`. */
  readonly apiOrigin?: string;
  /** The default is the whole name. */
  readonly shortName?: Deployment['shortName'] | undefined;
}

/** The origin of the API in an assembly that several runs share. Each run replaces it by its own, which has its port. */
export const SOME_ORIGIN = 'http://the-api-of-this-run.invalid';

/** Reads a synthesized assembly and resolves it. Throws DeploymentError with every problem found. */
export const loadDeployment = (directory: string, options: DeploymentOptions = {}): Deployment =>
  resolveDeployment(
    readAssembly(directory, (text) => text.replaceAll(SOME_ORIGIN, options.apiOrigin ?? SOME_ORIGIN)),
    options,
  );

/** Resolves an assembly that has been read. Throws DeploymentError with every problem found. */
export const resolveDeployment = (assembly: Assembly, options: DeploymentOptions = {}): Deployment => {
  const missing = missingFromTemplates(assembly);
  if (missing.length > 0) throw new DeploymentError(missing);
  const resolved = resolveAssembly(assembly, options.queueOrigin ?? 'https://sqs.us-east-1.amazonaws.com');
  const collector = new Collector(resolved);
  const resources = collect(collector);
  if (collector.problems.length > 0) throw new DeploymentError(collector.problems);
  const assets = Object.fromEntries(assembly.stacks.flatMap((stack) => Object.entries(stack.assets)));
  const { shortName = (name: string) => name } = options;
  return { ...resources, directory: assembly.directory, assets, shortName };
};
