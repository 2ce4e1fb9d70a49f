/** Rows with one reason: refused ones with their cells to correct, or warned ones to look at. */
import { useId, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useFew } from '../../parts/few.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FoldedPanel } from '../../parts/panel.tsx';
import { isAtFault, personOf, type Group } from './mend-facts.ts';
import type { Mending } from './use-mending.ts';
import type { Stored } from './read-file.ts';
import { ReplaceAll } from './replace-all.tsx';
import { isStillWrong } from './replacements.ts';
import { cellIn, type Edits, type ReportedRow } from './report-rows.ts';
import { titleOf, wordsOfRow } from './row-words.ts';

/** Rows that a table begins with. */
const FIRST_ROWS = 10;

/** The line of a row in its file; of a record without a line, its number. */
const lineOf = ({ line, row }: ReportedRow): string => (line === '' ? row : line);

interface RowsProps {
  readonly header: readonly string[];
  readonly definition: Stored | undefined;
  /** What corrects the rows; `undefined` where they are only shown. */
  readonly mending: Mending | undefined;
}

const noEdits: Edits = new Map();

/** A group of rows, closed or open. */
export const MendGroup = (props: RowsProps & { readonly group: Group; readonly isOpen: boolean }) => {
  const { texts, format, can } = useApp();
  const words = texts.import.mend;
  const { group, header, mending } = props;
  const { shown, more } = useFew(group.rows.length, FIRST_ROWS, group.count);
  const title = (
    <>
      {group.name !== '' && (
        <>
          <bdi>{group.name}</bdi>
          {': '}
        </>
      )}
      {titleOf(texts, group.code)}
    </>
  );
  return (
    <FoldedPanel title={title} tag={words.rows(format.number(group.count), group.count)} open={props.isOpen}>
      {mending && group.rows.length > 1 && can('people.write') && (
        <ReplaceAll group={group} mending={mending} />
      )}
      <table class="cards mend">
        <GroupHead group={group} header={header} />
        <tbody>
          {group.rows.slice(0, shown).map((row) => (
            <MendRow key={row.key} {...props} row={row} />
          ))}
        </tbody>
      </table>
      {more !== undefined && <footer>{more}</footer>}
      {mending && !can('people.write') && <footer>{words.noRight}</footer>}
    </FoldedPanel>
  );
};

const GroupHead = ({ group, header }: Pick<RowsProps, 'header'> & { readonly group: Group }) => {
  const words = useApp().texts.import.mend;
  return (
    <thead>
      <tr>
        <th scope="col" class="number">
          {words.line}
        </th>
        <th scope="col">{words.person}</th>
        {group.columns.map((at) => (
          <th key={at} scope="col">
            <bdi>{header[at]}</bdi>
          </th>
        ))}
        <th scope="col">{words.wrong}</th>
      </tr>
    </thead>
  );
};

const MendRow = (props: RowsProps & { readonly group: Group; readonly row: ReportedRow }) => {
  const { texts, can } = useApp();
  const words = texts.import.mend;
  const { group, header, definition, mending, row } = props;
  const says = useId();
  const [isOpen, setIsOpen] = useState(false);
  const edits = mending?.edits ?? noEdits;
  const { name, second } = personOf(row, header, definition);
  return (
    <tr>
      <td class="number muted">{lineOf(row)}</td>
      <td>
        <bdi>{name === '' ? '–' : name}</bdi>
        {second !== '' && (
          <span class="second">
            <bdi>{second}</bdi>
          </span>
        )}
      </td>
      {group.columns.map((at) => (
        <td key={at} class="whole cell">
          <Cell {...props} at={at} says={says} />
        </td>
      ))}
      <td class="whole small" id={says}>
        <Says row={row} isEdited={edits.has(row.key)} isWrong={isStillWrong(row, group.columns, edits)} />
        {mending && can('people.write') && header.length > group.columns.length && (
          <button
            type="button"
            class="button plain small"
            aria-label={words.allCellsOf(lineOf(row))}
            onClick={() => {
              setIsOpen(true);
            }}
          >
            {words.allCells}
          </button>
        )}
        {isOpen && (
          <AllCells
            {...props}
            says={says}
            onClose={() => {
              setIsOpen(false);
            }}
          />
        )}
      </td>
    </tr>
  );
};

const Says = (props: {
  readonly row: ReportedRow;
  readonly isEdited: boolean;
  readonly isWrong: boolean;
}) => {
  const { row, isEdited, isWrong } = props;
  const { texts } = useApp();
  const { text, isOwn } = wordsOfRow(texts, row);
  // The sentence is about the text that was sent. And it is English: where the page is not, the words for the code stand before it.
  const title = isEdited || !(isOwn || texts.rows.isOfApi) ? titleOf(texts, row.code) : undefined;
  return isEdited && !isWrong ? (
    <span class="state run">
      <Icon name="tick" small />
      {texts.import.mend.ready}
    </span>
  ) : (
    <span class="fault">
      <Icon name="warn" small />
      <span>
        {title ?? text}
        {title !== undefined && !isEdited && (
          <span class="second" lang="en">
            {text}
          </span>
        )}
      </span>
    </span>
  );
};

/** All cells of a row, in a dialog. What is written there is in the table at once. */
const AllCells = (
  props: RowsProps & { readonly row: ReportedRow; readonly says: string; readonly onClose: () => void },
) => {
  const { texts } = useApp();
  const words = texts.import.mend;
  const { row, header, onClose } = props;
  const done = (
    <button type="button" class="button" onClick={onClose}>
      {words.done}
    </button>
  );
  return (
    <Dialog
      title={words.allCellsOf(lineOf(row))}
      line={row.message}
      close={texts.parts.close}
      onClose={onClose}
      footer={done}
    >
      {header.map((column, at) => (
        <label key={at} class="field">
          <span class="label">
            <bdi>{column}</bdi>
          </span>
          <Cell {...props} at={at} />
        </label>
      ))}
    </Dialog>
  );
};

const Cell = (
  props: RowsProps & { readonly row: ReportedRow; readonly at: number; readonly says: string },
) => {
  const { texts, can } = useApp();
  const { row, at, header, mending } = props;
  const column = header[at] ?? '';
  if (!mending || !can('people.write')) return <bdi>{row.cells[at]}</bdi>;
  const isChanged = mending.edits.get(row.key)?.has(at) === true;
  const isWrong = isAtFault(row, column) && (!isChanged || isStillWrong(row, [at], mending.edits));
  const text = cellIn(mending.edits, row, at);
  return (
    <input
      type="text"
      aria-label={texts.import.mend.cell(column, lineOf(row))}
      {...(isWrong ? { 'aria-invalid': true, 'aria-describedby': props.says } : {})}
      value={text}
      disabled={mending.running}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget: { value } }) => {
        mending.edit([{ row, at, text: value }]);
      }}
    />
  );
};
