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
