/** What the reader was building: the tab keeps it, so that a look elsewhere or a reload loses nothing. */
import { keep, kept } from '../../../kept.ts';
import { definitionOf, isDraft, type Draft } from './draft.ts';

const NAME = 'segment';

/** The draft of a property that the tab has kept, if there is one. */
export const keptDraft = (property: number): Draft | undefined => {
  const earlier = kept(property, NAME);
  return isDraft(earlier) ? earlier : undefined;
};

/** Keeps a draft. One in which nothing is said yet is not worth it; `undefined` forgets what was kept. */
export const keepDraft = (property: number, draft: Draft | undefined): void => {
  const isEmpty = draft?.name === '' && definitionOf(draft.group) === undefined;
  keep(property, NAME, isEmpty ? undefined : draft);
};
