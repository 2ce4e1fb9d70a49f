/** The values of a person, each with its source, and those that lost. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useFew } from '../../parts/few.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { SourceName } from '../../sources.ts';
import { wordFor } from '../../words.ts';
import type { Known, Value } from './known.ts';
import { defeatOf, valueRows, type Row } from './rows.ts';
import { Source, SourcedHead, Stored, Trust } from './text.tsx';

/** Fields that are shown at first. */
const ROWS = 25;

export const ValuesPanel = ({ known, nameOf }: { readonly known: Known; readonly nameOf: SourceName }) => {
  const { texts, format } = useApp();
  const words = texts.people;
  const [showsLost, setShowsLost] = useState(false);
  const all = valueRows(known);
  const lost = all.reduce((sum, row) => sum + row.lost.length, 0);
  const rows = showsLost ? all : all.filter(({ shown }) => shown !== undefined);
  const { shown, more } = useFew(rows.length, ROWS);
  const choice = lost > 0 && (
    <label class="check">
      <input
        type="checkbox"
        checked={showsLost}
        onChange={({ currentTarget }) => setShowsLost(currentTarget.checked)}
      />
      {words.lost(lost, format.number(lost))}
    </label>
  );
  return (
    <Panel
      title={words.values}
      aside={choice}
      body={rows.length === 0}
      {...(more === undefined ? {} : { footer: more })}
    >
      {rows.length === 0 && <p class="muted">{words.noValues}</p>}
      {rows.length > 0 && (
        <table class="cards">
          <SourcedHead first={words.field} />
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <ValueRow key={row.key} row={row} showsLost={showsLost} nameOf={nameOf} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};

const ValueRow = (props: { readonly row: Row; readonly showsLost: boolean; readonly nameOf: SourceName }) => {
  const { texts, format } = useApp();
  const { row, showsLost, nameOf } = props;
  const { name, isOwn, shown, lost } = row;
  const field = isOwn ? '' : name;
  return (
    <tr>
      <th scope="row" class="name">
        <bdi>{isOwn ? name : wordFor(texts, 'field', name)}</bdi>
      </th>
      <td class="whole value">
        {shown ? (
          <Stored field={field} value={shown.value} />
        ) : (
          <span class="muted">{texts.people.erased}</span>
        )}
        {showsLost &&
          lost.map((value, index) => <Lost key={index} of={value} {...{ field, shown, nameOf }} />)}
      </td>
      <td class="whole small">
        {shown && (
          <>
            <Source of={shown} nameOf={nameOf} />
            <span class="second">
              <Trust tier={shown.tier} />
            </span>
          </>
        )}
      </td>
      <td class="number small muted">{shown && format.when(shown.stamp)}</td>
    </tr>
  );
};

/** A value that lost: where it came from, what it is, and why it does not count. */
const Lost = (props: {
  readonly of: Value;
  readonly field: string;
  readonly shown: Value | undefined;
  readonly nameOf: SourceName;
}) => {
  const { texts, format } = useApp();
  const { of: value, field, shown, nameOf } = props;
  const defeat = texts.people.defeat[defeatOf(value, shown)];
  return (
    <span class="second">
      <Source of={value} nameOf={nameOf} />
      {': '}
      {value.value !== null && (
        <>
          <Stored field={field} value={value.value} />
          {', '}
        </>
      )}
      {defeat} (<Trust tier={value.tier} />, {format.when(value.stamp)})
    </span>
  );
};
