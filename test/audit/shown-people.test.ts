import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { readApiDocument } from '../support/api-document.ts';

const document = readApiDocument();

/** Routes that change a person, whose answer has the id at its top: the entry of a change takes it from there. */
const changes = ['createProfile', 'createObjection', 'forgetProfile'];

const node = v.looseObject({
  $ref: v.optional(v.string()),
  properties: v.optional(v.record(v.string(), v.unknown())),
});

/** Whether a schema has a member of this name, in any depth. */
const hasMember = (schema: unknown, name: string, seen = new Set<string>()): boolean => {
  if (Array.isArray(schema)) return schema.some((each) => hasMember(each, name, seen));
  const parsed = v.safeParse(node, schema);
  if (!parsed.success) return false;
  const { $ref, properties = {}, ...rest } = parsed.output;
  if (name in properties) return true;
  const target = $ref?.split('/').at(-1);
  if (target !== undefined && !seen.has(target)) {
    seen.add(target);
    if (hasMember(document.schemas[target], name, seen)) return true;
  }
  return [...Object.values(properties), ...Object.values(rest)].some((each) => hasMember(each, name, seen));
};

/** Names of the routes whose answers, or refusals, name people. */
const naming = new Set(
  [...document.operations.values()].flatMap(({ id, codes, responses }) => {
    const answers = [...responses].flatMap(([status, { content }]) =>
      status < 300 ? Object.values(content).map(({ schema }) => schema) : [],
    );
    return codes.has('several_people') || answers.some((schema) => hasMember(schema, 'profile_uuid'))
      ? [id]
      : [];
  }),
);

describe('a route that names people', () => {
  it('is known to the document', () => {
    expect([...naming]).toEqual(
      expect.arrayContaining(['getProfile', 'listSegmentProfiles', 'previewSegment']),
    );
  });

  it.each([...naming])('%s has them in its audit entry', (name) => {
    const trigger = new Map(Object.entries(manifest)).get(name)?.trigger;
    const shows = trigger?.kind === 'http' ? trigger.shows : undefined;
    expect(shows !== undefined || changes.includes(name), 'give its entry `shows`').toBe(true);
  });
});

it('the routes that showed people once still say how many', () => {
  const shown = Object.entries(manifest).flatMap(([name, { trigger }]) =>
    trigger.kind === 'http' ? [[name, trigger.shows] as const] : [],
  );
  expect(Object.fromEntries(shown)).toMatchObject({
    accessRequest: 'person',
    getProfile: 'person',
    inspectImport: 'people',
    previewSegment: 'people',
    listProfileSegments: 'person',
    explainMembership: 'person',
    listSegmentProfiles: 'people',
    listTimelineChanges: 'people',
    listImportErrors: 'people',
    listImportWarnings: 'people',
  });
});
