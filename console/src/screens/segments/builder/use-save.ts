/** The button that saves. A save that was under way goes on, and what went wrong meanwhile is told. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { useAction } from '../../../load.ts';
import { goTo } from '../../../route.ts';
import type { Segment } from '../catalogue.ts';
import type { Draft } from './draft.ts';
import { keptDraft } from './kept-draft.ts';
import { beginSave, savingName, savingsOf, type Order } from './save.ts';

/** What a builder begins with, and what it calls when all is saved. */
export interface Begun {
  readonly edited: Segment | undefined;
  readonly draft: Draft;
  readonly onSaved: () => void;
}

/** Saves a draft under its name, or else under the suggested one. `share` is how far its conditions are, while it waits for them. */
export const useSave = ({ edited, draft: begun, onSaved }: Begun, draft: Draft, suggested: string) => {
  const app = useApp();
  const { api, property } = app;
  const [share, setShare] = useState<number>();
  const isShown = useRef(true);
  // The clean-up of an ordinary effect comes after the next picture, and a save may end before it.
  useLayoutEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const action = useAction(async (order: Order) => {
    const name = savingName(order);
    const saving = savingsOf(api).get(name) ?? beginSave(app, order, draft);
    saving.onShare = setShare;
    setShare(saving.share);
    try {
      const id = await saving.saved;
      onSaved();
      if (isShown.current) goTo('segments', [id]);
    } finally {
      if (isShown.current) savingsOf(api).delete(name);
    }
  });
  const submit = (): void => {
    const { name, group } = draft;
    const earlier = edited === undefined ? keptDraft(property.id)?.key : undefined;
    action.run({ edited, name: name.trim() || suggested, group, key: earlier ?? crypto.randomUUID() });
  };
  useEffect(() => {
    if (begun.saving === true || savingsOf(api).has(savingName({ edited, key: begun.key ?? '' }))) submit();
  }, []);
  return { ...action, submit, share };
};
