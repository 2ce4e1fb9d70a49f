import { readFileSync } from 'node:fs';
import type { GenericSchema } from 'valibot';
import { describe, expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { handlerSource } from '../support/handler-source.ts';

/** How the answer of a route stays below the 6 MB that a function may answer. */
type Bound =
  /** A list whose pages end where the answer is full: `answerList`, `showPage` and `fitPage` end them there. */
  | 'page'
  /** The use case, or the module that it names, counts the bytes. */
  | { readonly countedIn: string }
  /** One thing, or few things, whose size is bounded when they are stored. */
  | 'stored limits';

/** The bound of each route whose answer has a list without a largest length in its schema. */
const bounds: Readonly<Record<string, Bound>> = {
  listAuditLog: 'page',
  findSegments: 'page',
  listCollections: 'page',
  listExports: 'page',
  listExportJobs: 'page',
  listImports: 'page',
  listImportJobs: 'page',
  listTimelines: 'page',
  listNotificationEmails: 'page',
  listObjections: 'page',
  listErasures: 'page',
  getTimeline: 'page',
  accessRequest: { countedIn: 'shared/profiles/access-request.ts' },
  forgetProfile: 'stored limits',
  listSegmentProfiles: { countedIn: 'shared/membership/profile-pages.ts' },
  listTimelineChanges: { countedIn: 'shared/membership/profile-pages.ts' },
  previewSegment: { countedIn: 'shared/segments/preview-segment.ts' },
  listSegmentSizes: { countedIn: 'shared/membership/sizes/list-sizes.ts' },
  listImportErrors: { countedIn: 'shared/imports/reports/list-report.ts' },
  listImportWarnings: { countedIn: 'shared/imports/reports/list-report.ts' },
  inspectImport: { countedIn: 'shared/imports/inspect/inspect-import.ts' },
  ...Object.fromEntries(
    [
      ...['getCaller', 'createProfile', 'getProfile', 'explainMembership', 'listProfileSegments'],
      ...['createCollection', 'getCollection', 'replaceCollection'],
      ...['createImport', 'getImport', 'replaceImport', 'createImportJob', 'getImportJob', 'cancelImportJob'],
      ...['undoImportJob', 'retryImportJob', 'importData', 'createUpload', 'getUpload', 'completeUpload'],
      ...[
        'listImportDeliveries',
        'createExport',
        'getExport',
        'replaceExport',
        'testExport',
        'createExportJob',
      ],
      ...[
        'getExportJob',
        'cancelExportJob',
        'withdrawLocation',
        'listDeliveries',
        'getDelivery',
        'createTimeline',
      ],
    ].map((name) => [name, 'stored limits'] as const),
  ),
};

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

const lists = Object.entries(manifest).flatMap(([name, entry]) =>
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

describe('the answer of a route', () => {
  it('is bounded: each route with a list says how', () => {
    expect(lists.map(({ name }) => name).toSorted()).toEqual(Object.keys(bounds).toSorted());
  });

  it('with pages ends them by its size', () => {
    const hasCursor = ({ entry: { trigger } }: (typeof lists)[number]): boolean =>
      trigger.kind === 'http' && hasMember(trigger.query, 'cursor');
    const paged = lists.filter(hasCursor).map(({ name }) => name);
    expect(paged.length).toBeGreaterThan(10);
    expect(paged.filter((name) => bounds[name] === 'stored limits')).toEqual([]);
  });

  it.each(lists.filter(({ name }) => bounds[name] === 'page'))(
    '$name ends its pages where the answer is full',
    ({ name, entry }) => {
      expect(useCaseOf(name, handlerSource(name, entry))).toMatch(/\b(answerList|showPage|fitPage)\(/);
    },
  );

  it.each(
    Object.entries(bounds).flatMap(([name, bound]) =>
      typeof bound === 'object' ? [{ name, file: bound.countedIn }] : [],
    ),
  )('$name counts its bytes in $file', ({ file }) => {
    expect(readFileSync(file, 'utf8')).toMatch(/bytesInAnswer\(|fittingCount\(|limits\.http\.pageBytes/);
  });
});
