import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { resolveStage } from '../../lib/config/stages.ts';
import type { End } from '../../shared/properties/places/place.ts';
import { exportFolderOf } from '../../shared/properties/folders.ts';
import { exportPlaces, folderPlaces } from '../../shared/properties/places/object-places.ts';
import { backups, resourcePlaces } from '../../shared/properties/places/resource-places.ts';
import { synthesized } from '../infra/stacks.ts';

/** Types of resources that keep something. */
const keeping = [
  'AWS::Logs::LogGroup',
  'AWS::SQS::Queue',
  'AWS::S3::Bucket',
  'AWS::DynamoDB::Table',
  'AWS::StepFunctions::StateMachine',
  'AWS::SNS::Topic',
];
/** Types that keep nothing, or nothing but settings. Look at a new type once, and add it to one of the two lists. */
const keepingNothing = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::SubscriptionFilter',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::Transfer::Server',
];

/** Tables and buckets whose items and objects have places of their own. */
const dataStores = /^(|credentials|rates|audit-log|(uploads|work|exports)-\d+-.*)$/;

/** The name of a resource without the name of the stage. */
const plainName = (name: string): string => name.replace(/tidemark-(?:prod|dev)-?/, '');

const exportPlaceNames = ['files', 'bases', 'work'] as const;

const DAY_SECONDS = 86_400;
const logGroup = v.object({ RetentionInDays: v.number() });
const queue = v.object({ MessageRetentionPeriod: v.number() });
const bucket = v.object({
  LifecycleConfiguration: v.object({ Rules: v.tuple([v.object({ ExpirationInDays: v.number() })]) }),
});

/** The days after which a resource drops what it keeps; `null` for one that keeps it otherwise. */
const daysOf = (type: string, properties: unknown): number | null => {
  switch (type) {
    case 'AWS::Logs::LogGroup':
      return v.parse(logGroup, properties).RetentionInDays;
    case 'AWS::SQS::Queue':
      return v.parse(queue, properties).MessageRetentionPeriod / DAY_SECONDS;
    case 'AWS::S3::Bucket':
      return v.parse(bucket, properties).LifecycleConfiguration.Rules[0].ExpirationInDays;
    default:
      return null;
  }
};

describe.each(['dev', 'prod'])('the resources of the stage %s', (stage) => {
  const stacks = synthesized(stage);
  const settings = resolveStage(stage, {});
  const listed = keeping
    .flatMap((type) => stacks.ofType(type))
    .map(({ type, name, properties }) => ({ type, name: plainName(name), properties }))
    .filter(({ name }) => !dataStores.test(name));

  it('are each in the list of places, once', () => {
    const counts = listed.map(({ type, name }) => [
      name,
      resourcePlaces.filter((place) => place.type === type && place.named.test(name)).length,
    ]);
    expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it('keep what they keep for the time in the list', () => {
    const daysIn = (end: End): number | undefined => {
      if ('days' in end) return end.days;
      return 'setting' in end ? settings[end.setting] : undefined;
    };
    const told = listed.flatMap(({ type, name, properties }) => {
      const place = resourcePlaces.find((one) => one.type === type && one.named.test(name));
      return place?.keeps ? [[name, daysIn(place.keeps.end), daysOf(type, properties)] as const] : [];
    });
    expect(told.length).toBeGreaterThan(80);
    for (const [name, said, kept] of told) expect(said, name).toBe(kept);
  });
});

it('every type of resource is known to keep something, or nothing', () => {
  const { stacks } = synthesized('prod').assembly;
  const types = stacks.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type));
  const known = [...keeping, ...keepingNothing];
  expect([...new Set(types)].filter((type) => !known.includes(type))).toEqual([]);
});

it('the list has no resource that no stage has', () => {
  const names = keeping.flatMap((type) =>
    synthesized('prod')
      .ofType(type)
      .map(({ name }) => ({ type, name: plainName(name) })),
  );
  const unused = resourcePlaces.filter(
    (place) => !names.some(({ type, name }) => type === place.type && place.named.test(name)),
  );
  expect(unused.map(({ name }) => name)).toEqual([]);
});

const Rules = v.object({
  LifecycleConfiguration: v.object({
    Rules: v.array(
      v.object({ Prefix: v.optional(v.string(), ''), ExpirationInDays: v.optional(v.number()) }),
    ),
  }),
});

/** The folders of objects, each with its bucket and its place. */
const folders = Object.entries({ ...folderPlaces, ...exportPlaces }).map(([name, { keeps }]) => {
  const inUploads = name === 'uploads' || name === 'sftp';
  const place = exportPlaceNames.find((one) => one === name);
  const folder = place ? exportFolderOf(place, 7) : `${name}/7/`;
  const stored = place === 'files' || place === 'bases' ? 'exports' : 'work';
  return { folder, bucket: inUploads ? 'uploads' : stored, end: keeps?.end };
});

it.each(folders)(
  'the objects below $folder expire when the list says so',
  ({ folder, bucket: name, end }) => {
    const [found] = synthesized('prod')
      .ofType('AWS::S3::Bucket')
      .filter((one) => plainName(one.name).startsWith(`${name}-`));
    const rules = v.parse(Rules, found?.properties).LifecycleConfiguration.Rules;
    // S3 follows the shorter of several rules.
    const days = rules.flatMap(({ Prefix, ExpirationInDays }) =>
      folder.startsWith(Prefix) ? (ExpirationInDays ?? []) : [],
    );
    expect(end).toEqual({ days: Math.min(...days) });
  },
);

it('backups reach back as far as the list says', () => {
  const Recovery = v.object({
    PointInTimeRecoverySpecification: v.object({
      PointInTimeRecoveryEnabled: v.boolean(),
      RecoveryPeriodInDays: v.optional(v.number()),
    }),
  });
  for (const { properties } of synthesized('prod').ofType('AWS::DynamoDB::Table'))
    expect(
      v.parse(Recovery, properties).PointInTimeRecoverySpecification.RecoveryPeriodInDays,
    ).toBeUndefined();
  expect(backups.keeps?.end).toEqual({ days: 35 });
});
