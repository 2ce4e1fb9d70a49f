/** Field map rules: validates one field map of a definition, as far as its schema cannot express the rule. */
import { didYouMean } from '../../http/did-you-mean.ts';
import type { ProblemError } from '../../http/problem.ts';
import type { FieldMap } from '../mapping/field-map.ts';
import {
  isErasable,
  isList,
  isPersonal,
  parseTarget,
  type Target,
  targetNames,
} from '../mapping/field-targets.ts';

/** The faults of a field map; `at` is its JSON pointer. */
export const fieldMapFaults = (map: FieldMap, at: string): readonly ProblemError[] => {
  const target = parseTarget(map.target_field);
  if (!target) return [unknownTarget(`${at}/target_field`, map.target_field), ...repeatedColumns(map, at)];
  return [...optionFaults(map, target, at), ...personFaults(map, target, at), ...repeatedColumns(map, at)];
};

/** The fault of a name that is no field of a record. */
export const unknownTarget = (pointer: string, name: string): ProblemError => ({
  pointer,
  code: 'unknown_target',
  detail: /^consent(?:\.|$)/.test(name)
    ? 'Needs a channel of lower-case letters, digits, _ and -, for example consent.email.'
    : `Is not a field of a record.${didYouMean(name, targetNames)} Other data goes into extra_data.<name>.`,
});

const repeatedColumns = ({ sources }: FieldMap, at: string): readonly ProblemError[] =>
  repeatsIn(sources, (source) =>
    source.type === 'source_field' ? JSON.stringify([source.name, source.occurrence]) : undefined,
  ).map(({ position }) => repeatedFault(`${at}/sources/${position}/name`));

/** The items of a list whose name an earlier item has, with their positions. Items without a name repeat nothing. */
export const repeatsIn = <Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string | undefined,
): readonly { readonly item: Item; readonly position: number }[] => {
  const seen = new Set<string>();
  return items.flatMap((item, position) => {
    const name = nameOf(item);
    if (name === undefined) return [];
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [{ item, position }] : [];
  });
};

/** The fault of an entry that a list already has. */
export const repeatedFault = (pointer: string): ProblemError => ({
  pointer,
  code: 'duplicate',
  detail: 'Occurs earlier in the same list.',
});

const optionFaults = ({ split, erase }: FieldMap, target: Target, at: string): readonly ProblemError[] => [
  ...(split !== undefined && !isList(target)
    ? [
        {
          pointer: `${at}/split`,
          code: 'not_a_list' as const,
          detail: 'Only tags, social_likes and source have several values.',
        },
      ]
    : []),
  ...(erase === true && !isErasable(target)
    ? [
        {
          pointer: `${at}/erase`,
          code: 'not_erasable' as const,
          detail: 'An import cannot erase this field.',
        },
      ]
    : []),
];

/** Many rows with the same identity would become one person. */
const personFaults = (
  { sources, transformations = [] }: FieldMap,
  target: Target,
  at: string,
): readonly ProblemError[] => {
  if (!isPersonal(target)) return [];
  const onePerson = 'would make one person of many rows';
  return [
    ...(sources.every(({ type }) => type === 'constant')
      ? [
          {
            pointer: `${at}/sources`,
            code: 'needs_column' as const,
            detail: `Needs a column: a constant ${onePerson}.`,
          },
        ]
      : []),
    ...transformations.flatMap(({ name }, position) =>
      name === 'default'
        ? [
            {
              pointer: `${at}/transformations/${position}/name`,
              code: 'not_for_identities' as const,
              detail: `Is not for identities: it ${onePerson}.`,
            },
          ]
        : [],
    ),
  ];
};
