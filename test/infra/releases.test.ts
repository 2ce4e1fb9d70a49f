import { type ResourceDifference, ResourceImpact, diffTemplate } from '@aws-cdk/cloudformation-diff';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { lossesOf, templateSchema, type Templates } from '../../cli/deployment-losses.ts';
import { releasedTemplates, releases, type StageTemplates } from '../releases/release-files.ts';
import { presentTemplates } from '../releases/templates.ts';

type Stacks = StageTemplates[string];

/** A template, as far as the deployment of a later one depends on it. */
const Coupled = v.object({
  Resources: v.record(
    v.string(),
    v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) }),
  ),
  Outputs: v.optional(
    v.record(v.string(), v.looseObject({ Export: v.optional(v.object({ Name: v.unknown() })) })),
    {},
  ),
});

const parsed = (stacks: Stacks): Templates =>
  new Map(Object.entries(stacks).map(([name, template]) => [name, v.parse(templateSchema, template)]));

/** Exports that another stack of the same release imports, each with its stack. */
const importedExports = (stacks: Stacks): readonly string[] => {
  const texts = Object.values(stacks).map((template) => JSON.stringify(template));
  return exportsOf(stacks).filter((line) => {
    const name = line.slice(line.indexOf(' ') + 1);
    return texts.some((text) => text.includes(`{"Fn::ImportValue":${name}}`));
  });
};

const exportsOf = (stacks: Stacks): readonly string[] =>
  Object.entries(stacks).flatMap(([stack, template]) =>
    Object.values(v.parse(Coupled, template).Outputs).flatMap(({ Export }) =>
      Export === undefined ? [] : [`${stack} ${JSON.stringify(Export.Name)}`],
    ),
  );

/** Properties that name a resource in the account and region, by type; other types have `<Kind>Name` or `Name`. */
const nameOf = (type: string, properties: Readonly<Record<string, unknown>>): string | undefined => {
  const kind = type.split('::').at(-1) ?? '';
  const name = properties[`${kind}Name`] ?? (NAMED.has(type) ? properties['Name'] : undefined);
  return name === undefined ? undefined : `${type} ${JSON.stringify(name)}`;
};

const NAMED: ReadonlySet<string> = new Set([
  'AWS::Events::Rule',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
]);

/** The place of each resource that has a name of its own. */
const placesOf = (stacks: Stacks): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(stacks).flatMap(([stack, template]) =>
      Object.entries(v.parse(Coupled, template).Resources).flatMap(([id, { Type, Properties }]) => {
        const name = nameOf(Type, Properties);
        return name === undefined ? [] : [[name, `${stack}/${id}`] as const];
      }),
    ),
  );

/** Resources that CloudFormation would make anew although they have a name: it refuses, because the name is taken. */
const replacedNames = (before: Stacks, after: Stacks): readonly string[] =>
  Object.entries(before).flatMap(([stack, template]) => {
    const found: string[] = [];
    diffTemplate(template, after[stack] ?? {}).resources.forEachDifference(
      (id: string, difference: ResourceDifference) => {
        if (difference.changeImpact !== ResourceImpact.WILL_REPLACE) return;
        if (nameOf(difference.oldResourceType ?? '', difference.oldProperties ?? {}) !== undefined)
          found.push(`${stack}/${id}`);
      },
    );
    return found;
  });

/** What would hinder or harm a deployment of `after` over `before`, one line each. */
const hindrances = (before: Stacks, after: Stacks): readonly string[] => {
  const exported = new Set(exportsOf(after));
  const places = placesOf(after);
  return [
    ...lossesOf(parsed(before), parsed(after)).map((loss) => `takes away ${loss}`),
    ...importedExports(before)
      .filter((line) => !exported.has(line))
      .map((line) => `no longer exports ${line}`),
    ...[...placesOf(before)].flatMap(([name, place]) => {
      const next = places.get(name);
      return next === undefined || next === place ? [] : [`moves ${name} from ${place} to ${next}`];
    }),
    ...replacedNames(before, after).map((place) => `replaces ${place}, whose name is then taken`),
  ];
};

const present = presentTemplates();

describe('a deployment over the templates of a release', () => {
  it.each(
    releases.flatMap((version) =>
      Object.entries(releasedTemplates(version)).map(([stage, before]) => ({ version, stage, before })),
    ),
  )('takes nothing away and is not refused: $stage of $version', ({ stage, before }) => {
    expect(hindrances(before, present[stage] ?? {})).toEqual([]);
  });
});

describe('the comparison finds', () => {
  const prod = present['prod'] ?? {};

  /** The templates of `prod`, changed as text. */
  const changed = (change: (text: string) => string): Stacks => {
    const text = change(JSON.stringify(prod));
    expect(text).not.toBe(JSON.stringify(prod));
    return v.parse(v.record(v.string(), v.record(v.string(), v.unknown())), JSON.parse(text));
  };

  it.each([
    [
      'a table with another name',
      '"TableName":"tidemark-prod"',
      '"TableName":"other"',
      'takes away the table',
    ],
    [
      'a queue with another name',
      '"QueueName":"tidemark-prod-drains',
      '"QueueName":"other',
      'takes away the queue',
    ],
    [
      'another logical id of a function',
      'getProfileFunction',
      'getPersonFunction',
      'moves AWS::Lambda::Function',
    ],
    [
      'a table with another key',
      '"AttributeName":"pk"',
      '"AttributeName":"id"',
      'replaces tidemark-prod-data/Table',
    ],
  ])('%s', (_, from, to, line) => {
    const after = changed((text) => text.replaceAll(from, to));
    expect(hindrances(prod, after)).toContainEqual(expect.stringContaining(line));
  });

  it('an export that is gone while another stack imports it', () => {
    const [line = ''] = importedExports(prod);
    const name = line.slice(line.indexOf(' ') + 1);
    const after = changed((text) => text.replaceAll(`"Export":{"Name":${name}}`, '"Description":"none"'));
    expect(hindrances(prod, after)).toEqual([`no longer exports ${line}`]);
  });

  it('nothing between a version and itself', () => {
    expect(hindrances(prod, prod)).toEqual([]);
    expect(importedExports(prod).length).toBeGreaterThan(10);
    expect(placesOf(prod).size).toBeGreaterThan(300);
  });
});
