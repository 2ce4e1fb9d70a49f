/** The button that saves, and what the tab keeps meanwhile. A save that was under way goes on. */
import { useEffect } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { keep } from '../../../kept.ts';
import { goTo } from '../../../route.ts';
import type { Segment } from '../catalogue.ts';
import { definitionOf, type Draft } from './draft.ts';
import { useSave } from './save.ts';

/** Under this name the tab keeps what the reader was building, so that a look elsewhere or a reload loses nothing. */
export const DRAFT = 'segment';

/** What a builder begins with, and what it calls when all is saved. */
export interface Begun {
  readonly edited: Segment | undefined;
  readonly draft: Draft;
  readonly onSaved: () => void;
}

/** How a builder saves its draft, and keeps it in the tab while the reader types. */
export const useSubmit = ({ edited, draft, onSaved }: Begun, { name, group }: Draft) => {
  const { property } = useApp();
  const keepDraft = (next: Draft | undefined): void => {
    const isEmpty = next?.name === '' && definitionOf(next.group) === undefined;
    if (edited === undefined) keep(property.id, DRAFT, isEmpty ? undefined : next);
  };
  const save = useSave(edited, (id, isShown) => {
    keepDraft(undefined);
    onSaved();
    if (isShown) goTo('segments', [id]);
  });
  const submit = (): void => {
    keepDraft({ name, group, saving: true });
    save.run(name, group);
  };
  useEffect(() => {
    if (save.isUnderWay || draft.saving === true) submit();
  }, []);
  useEffect(() => {
    if (save.problem !== undefined) keepDraft({ name, group });
  }, [save.problem]);
  return { save, submit, keepDraft };
};
