import { readFileSync } from 'node:fs';
import type { GenericSchema } from 'valibot';
import { describe, expect, it } from 'vitest';
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { handlerSource } from '../support/handler-source.ts';

/** The file that counts the bytes of an answer with a list, where the list does not end as `answerList` ends it. */
const countedIn: Readonly<Record<string, string>> = {
  accessRequest: 'shared/profiles/access-request.ts',
  listSegmentProfiles: 'shared/membership/profile-pages.ts',
  listTimelineChanges: 'shared/membership/profile-pages.ts',
  previewSegment: 'shared/segments/preview-segment.ts',
  listSegmentSizes: 'shared/membership/sizes/list-sizes.ts',
  listImportErrors: 'shared/imports/reports/list-report.ts',
  listImportWarnings: 'shared/imports/reports/list-report.ts',
  inspectImport: 'shared/imports/inspect/inspect-import.ts',
};

/** Routes that show one thing, or few things, whose size is bounded when they are stored. One route of each answer. */
const storedLimits: readonly string[] = [
  ...[
    'getCaller',
    'listTokens',
    'createProfile',
    'getProfile',
    'findPeople',
    'forgetProfile',
    'explainMembership',
    'listProfileSegments',
  ],
  ...[
    'getCollection',
    'createImport',
    'getImport',
    'createImportJob',
    'getImportJob',
    'importData',
    'createUpload',
    'listImportDeliveries',
  ],
  ...[
    'createExport',
    'replaceExport',
    'getExport',
    'testExport',
    'getExportJob',
    'listDeliveries',
    'getDelivery',
    'createTimeline',
  ],
];

const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const valuesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/** Whether a schema has a list without a largest length. */
const isOpenEnded = (schema: unknown, seen = new Set<unknown>()): boolean => {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  const parts: Readonly<Record<string, unknown>> = { ...schema };
  const pipe = elementsOf(parts['pipe']);
  const isBounded = pipe.some((step) => valuesOf(step).includes('max_length'));
  if (parts['type'] === 'array' && !isBounded) return true;
  const inner = [
    ...pipe,
    ...valuesOf(parts['entries']),
    ...elementsOf(parts['options']),
    ...['item', 'wrapped', 'value', 'rest'].map((name) => parts[name]),
  ];
  return inner.some((part) => isOpenEnded(part, seen));
};

/** Whether an object of a schema has a member. */
const hasMember = (schema: GenericSchema | undefined, member: string): boolean =>
  schema !== undefined &&
  'entries' in schema &&
  typeof schema.entries === 'object' &&
  schema.entries !== null &&
  member in schema.entries;

interface List {
  readonly name: string;
  readonly entry: FunctionEntry;
}

const lists: readonly List[] = Object.entries(manifest).flatMap(([name, entry]) =>
  entry.trigger.kind === 'http' && isOpenEnded(entry.trigger.answer) ? [{ name, entry }] : [],
);

/** The use case of a handler: the module of `shared/` that exports the name of the route. */
const useCaseOf = (name: string, handler: string): string => {
  const [, path = ''] =
    new RegExp(`import \\{ (?:\\w+, )*${name}(?:, \\w+)* \\} from '\\.\\./\\.\\./(shared/[^']+)'`).exec(
      handler,
    ) ?? [];
  return path === '' ? '' : readFileSync(path, 'utf8');
};

/** A page, which ends where the answer is full: `answerList`, `showPage` and `fitPage` end it there. */
const isPage = ({ name, entry: { trigger } }: List): boolean =>
  trigger.kind === 'http' && hasMember(trigger.query, 'cursor') && !(name in countedIn);

const answerOf = ({ entry: { trigger } }: List): GenericSchema | undefined =>
  trigger.kind === 'http' ? trigger.answer : undefined;

describe('the answer of a route', () => {
  it('is bounded: the schema bounds its lists, or its pages end by their size, or something else is named here', () => {
    const bounded = new Set(lists.filter(({ name }) => storedLimits.includes(name)).map(answerOf));
    const unbounded = lists.filter(
      (list) => !isPage(list) && !(list.name in countedIn) && !bounded.has(answerOf(list)),
    );
    const advice =
      'Bound the list in its schema (`listUpTo`), end its pages with `answerList`, or name the route here';
    expect(
      unbounded.map(({ name }) => name),
      advice,
    ).toEqual([]);
  });

  it('is named here only if its schema leaves a list open', () => {
    const open = new Set(lists.map(({ name }) => name));
    const named = [...Object.keys(countedIn), ...storedLimits];
    expect(named.filter((name) => !open.has(name))).toEqual([]);
  });

  it('has pages, which stored limits do not bound', () => {
    const pages = lists.filter((list) => isPage(list));
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter(({ name }) => storedLimits.includes(name))).toEqual([]);
  });

  it.each(lists.filter((list) => isPage(list)))(
    '$name ends its pages where the answer is full',
    ({ name, entry }) => {
      expect(useCaseOf(name, handlerSource(name, entry))).toMatch(/\b(answerList|showPage|fitPage)\(/);
    },
  );

  it.each(Object.entries(countedIn))('%s counts its bytes in %s', (_, file) => {
    expect(readFileSync(file, 'utf8')).toMatch(/bytesInAnswer\(|fittingCount\(|limits\.http\.pageBytes/);
  });
});
