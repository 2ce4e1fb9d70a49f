/** The parameter `include` of lookups and pages: what they show of a person besides the 23 fields. */
import * as v from 'valibot';
import { shownAs } from '../http/described.ts';
import { rule } from '../http/rule.ts';

/** What a page of people can show of each: values of the profile. Segments would take further reads for each person. */
export const pageIncludes = [
  'age',
  'current_age',
  'country',
  'tags',
  'social_likes',
  'sources',
  'extra_data',
  'consent',
] as const;
export type PageInclude = (typeof pageIncludes)[number];

/** What a lookup can show, each under its own name in the answer. */
export const includes = [...pageIncludes, 'segments'] as const;
export type Include = (typeof includes)[number];

/** A list of some of these names in one text, as `include=tags,consent`. */
export const includeList = <const Name extends string>(names: readonly Name[]) => {
  const isName = (text: string): text is Name => names.some((name) => name === text);
  return v.pipe(
    v.string(),
    rule<string>(
      'not_allowed',
      (text) => text.split(',').every(isName),
      `Must be some of ${names.join(', ')}, separated by commas.`,
    ),
    v.transform((text): ReadonlySet<Name> => new Set(text.split(',').filter(isName))),
    shownAs(v.array(v.picklist(names))),
  );
};
