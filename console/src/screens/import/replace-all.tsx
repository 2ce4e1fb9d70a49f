/** Replaces a text in the cells of a group: the same slip is often in many rows. */
import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import type { Group } from './mend-facts.ts';
import { replaced, rowsIn, suggestedFor, type Replacement } from './replacements.ts';
import { cellIn } from './report-rows.ts';
import type { Mending } from './use-mending.ts';

interface Props {
  readonly group: Group;
  readonly mending: Mending;
}

/** A slip that was found, and two fields with a button that says in how many rows it replaces. */
export const ReplaceAll = ({ group, mending }: Props) => {
  const { texts, format } = useApp();
  const words = texts.import.mend;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const changes = replaced(group, mending.edits, from, to);
  const rows = rowsIn(changes);
  const suggested = useMemo(() => suggestedFor(group, mending.edits), [group, mending.edits]);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    mending.edit(changes);
  };
  return (
    <>
      {suggested && <Suggested of={suggested} mending={mending} />}
      <details class="replace small">
        <summary>{words.replaceOther}</summary>
        <form class="row" onSubmit={onSubmit}>
          <Field label={words.replace} value={from} onValue={setFrom} />
          <Field label={words.by} value={to} onValue={setTo} />
          <button class="button small" aria-disabled={rows === 0 || mending.running}>
            {words.replaceIn(format.number(rows), rows)}
          </button>
        </form>
      </details>
    </>
  );
};

/** The slip in one press, with what becomes of its first cell. The cells show the others before they are sent. */
const Suggested = ({ of, mending }: { readonly of: Replacement; readonly mending: Mending }) => {
  const { texts, format } = useApp();
  const words = texts.import.mend;
  const [first] = of.changes;
  const rows = rowsIn(of.changes);
  if (first === undefined) return null;
  return (
    <p class="row replace small">
      <button
        type="button"
        class="button small"
        aria-disabled={mending.running}
        onClick={() => {
          mending.edit(of.changes);
        }}
      >
        {words.suggested(of.from, of.to, format.number(rows))}
      </button>
      <span class="muted">
        <bdi>{cellIn(mending.edits, first.row, first.at)}</bdi>
        {' → '}
        <bdi>{first.text}</bdi>
      </span>
    </p>
  );
};

const Field = (props: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) => (
  <label class="check">
    {props.label}
    <input
      type="text"
      value={props.value}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget: { value } }) => {
        props.onValue(value);
      }}
    />
  </label>
);
