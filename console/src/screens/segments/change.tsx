/** Deleting and renaming a segment. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useAction } from '../../load.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/notice.tsx';
import type { Segment } from './catalogue.ts';
import { Name } from './name.tsx';

interface Change {
  readonly segment: Segment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a segment is deleted. The service refuses to delete one that is in use, and says by what. */
export const RemoveDialog = ({ segment, onClose, onDone }: Change) => {
  const { api, texts } = useApp();
  const words = texts.segments.page;
  const remove = useAction(async () => {
    await api.deleteSegment({ path: { segment_id: segment.id } });
    onDone();
  });
  const footer = (
    <>
      <button type="button" class="button" onClick={onClose}>
        {texts.parts.cancel}
      </button>
      <button type="button" class="button danger" aria-disabled={remove.running} onClick={() => remove.run()}>
        {words.removeYes}
      </button>
    </>
  );
  return (
    <Dialog
      title={words.removeTitle}
      line={<Name of={segment} texts={texts} />}
      close={texts.parts.close}
      onClose={onClose}
      footer={footer}
    >
      <p>{words.removeLine}</p>
      <Problem error={remove.problem} texts={texts} />
    </Dialog>
  );
};

/** Gives a condition another name. Its rule stays. */
export const RenameDialog = ({ segment, onClose, onDone }: Change) => {
  const { api, texts } = useApp();
  const words = texts.segments.page;
  const [name, setName] = useState(segment.name);
  const rename = useAction(async () => {
    if (segment.where === undefined) return;
    const path = { segment_id: segment.id };
    await api.replaceSegment({ path, body: { name: name.trim(), where: segment.where } });
    onDone();
  });
  const footer = (
    <>
      <button type="button" class="button" onClick={onClose}>
        {texts.parts.cancel}
      </button>
      <button
        type="button"
        class="button main"
        aria-disabled={rename.running || name.trim() === ''}
        onClick={() => rename.run()}
      >
        {words.renameYes}
      </button>
    </>
  );
  return (
    <Dialog title={words.rename} close={texts.parts.close} onClose={onClose} footer={footer}>
      <label class="field">
        <span class="label">{texts.segments.name}</span>
        <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <Problem error={rename.problem} texts={texts} />
    </Dialog>
  );
};
