/** Definitions of segments: ids in combinations. */
import type { components } from '../../../../client/src/generated/schema.ts';

/** What a preview counts: ids of segments and conditions, combined. */
export type Definition = components['schemas']['PreviewDefinition'];

/** A definition as the service stores it: ids in combinations. */
export type StoredDefinition = components['schemas']['SegmentDefinition'];

/** The ids of a definition, each once. */
export const idsIn = (definition: StoredDefinition): readonly number[] => {
  if (typeof definition === 'number') return [definition];
  if ('not' in definition) return idsIn(definition.not);
  const parts = 'all' in definition ? definition.all : definition.any;
  return [...new Set(parts.flatMap(idsIn))];
};

/**
 * The words of an address for the people of a definition: ids of segments and names of fields, all of which hold. `undefined`
 * if it says more than that.
 */
export const wordsOf = (definition: Definition): readonly string[] | undefined => {
  if (typeof definition === 'number') return [String(definition)];
  if ('all' in definition) {
    const parts = definition.all.map(wordsOf);
    const known = parts.flatMap((part) => (part === undefined ? [] : [part]));
    return known.length === parts.length ? known.flat() : undefined;
  }
  const where = 'where' in definition ? definition.where : undefined;
  return where?.op === 'exists' && typeof where.field === 'string' ? [where.field] : undefined;
};
