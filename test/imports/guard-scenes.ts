import type { ImportHarness } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

/** A field map of one column. */
export const map = (name: string, target_field = name) => fieldMap(target_field, name);

/** A definition of e-mail addresses and tags. */
export const tagged = definitionOf(['email', 'tags'], { required_fields: ['email'] });

/** A file with one row for each of these cells of tags. */
export const fileOf = (tags: readonly string[]): string =>
  `email,tags\n${tags.map((tag, index) => `p${index}@x.org,${tag}`).join('\n')}\n`;

/** Records with one new tag each. */
export const tagsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `p${from + index}@x.org`,
    tags: [{ datetime: '2026-01-01 00:00:00', tag: [`t${from + index}`] }],
  }));

/** Number of segments of tags. */
export const segmentsOf = ({ ids }: ImportHarness): number =>
  [...ids.keys()].filter((key) => key.startsWith('["tag"')).length;
