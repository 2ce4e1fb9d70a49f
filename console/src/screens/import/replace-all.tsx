/** Replaces a text in the cells of a group: the same slip is often in many rows. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import type { Group } from './mend-facts.ts';
import type { Mending } from './use-mending.ts';
import { cellIn } from './refused-rows.ts';

/** Two fields and a button that says in how many rows it replaces. */
export const ReplaceAll = ({ group, mending }: { readonly group: Group; readonly mending: Mending }) => {
  const { texts, format } = useApp();
  const words = texts.import.mend;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const cells = group.rows.flatMap((row) =>
    group.columns.flatMap((at) => {
      const text = cellIn(mending.edits, row, at);
      return from !== '' && text.includes(from) ? [{ row, at, text: text.replaceAll(from, to) }] : [];
    }),
  );
  const rows = new Set(cells.map(({ row }) => row.key)).size;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    for (const { row, at, text } of cells) mending.edit(row, at, text);
  };
  return (
    <form class="row replace small" onSubmit={onSubmit}>
      <label class="check">
        {words.replace}
        <input
          type="text"
          value={from}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => {
            setFrom(value);
          }}
        />
      </label>
      <label class="check">
        {words.by}
        <input
          type="text"
          value={to}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => {
            setTo(value);
          }}
        />
      </label>
      <button class="button small" disabled={rows === 0}>
        {words.replaceIn(format.number(rows), rows)}
      </button>
    </form>
  );
};
