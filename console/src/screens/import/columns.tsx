/** The columns of a file: their first values, the field that each becomes, and why. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { isExtra, targetsOf } from '../../../../client/src/imports/mapping.ts';
import { Icon } from '../../parts/icon.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { Reading } from './read-file.ts';
import { plainWords, targetName, targetsFor } from './targets.ts';

/** A column of the file, and what becomes of it. */
interface ColumnFacts {
  readonly index: number;
  readonly column: string;
  readonly values: readonly string[];
  /** The field that it fills; empty for none. */
  readonly target: string;
  readonly reasons: readonly string[];
  readonly doubts: readonly string[];
}

const VALUES = 3;

const factsOf = ({ inspected, definition }: Reading): readonly ColumnFacts[] => {
  const { sample, suggestion } = inspected;
  return suggestion.columns.map(({ column, target_field, why }, index) => {
    const cells = sample.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
    const targets = definition === undefined ? [] : targetsOf(definition, column);
    const isSurplus = target_field === null && inspected.header.indexOf(column) !== index;
    const target = isSurplus ? '' : targets.join(', ');
    const doubts = suggestion.doubts.filter((doubt) => doubt.column === column);
    return {
      index,
      column,
      values: [...new Set(cells)].slice(0, VALUES),
      target,
      reasons: target === (target_field ?? '') ? why : [],
      doubts: doubts.map(({ saw, does }) => `${saw} ${does}`),
    };
  });
};

type Change = (column: string, target: string | null) => void;

/** The table of the columns. Those to look at come first; those without a field of their own wait behind a box. */
export const Columns = ({ reading, onChange }: { readonly reading: Reading; readonly onChange: Change }) => {
  const { texts, format } = useApp();
  const words = texts.import.columns;
  const [isAll, setIsAll] = useState(false);
  const facts = factsOf(reading);
  const doubtful = facts.filter(({ doubts }) => doubts.length > 0);
  const taken = facts.filter(
    ({ doubts, target }) => doubts.length === 0 && target !== '' && !isExtra(target),
  );
  const rest = facts.filter((one) => !doubtful.includes(one) && !taken.includes(one));
  const groups = [
    { title: words.doubtful(format.number(doubtful.length)), columns: doubtful },
    { title: words.taken(format.number(taken.length)), columns: taken },
    { title: words.rest(format.number(rest.length)), columns: isAll || taken.length === 0 ? rest : [] },
  ];
  const aside = rest.length > 0 && (
    <label class="check">
      <input
        type="checkbox"
        checked={isAll}
        onChange={({ currentTarget }) => {
          setIsAll(currentTarget.checked);
        }}
      />
      {words.showRest(format.number(rest.length))}
    </label>
  );
  return (
    <Panel title={words.title} aside={aside}>
      <div class="scroll">
        <table class="cards mapping">
          <thead>
            <tr>
              <th scope="col">{words.column}</th>
              <th scope="col">{words.values}</th>
              <th scope="col">{words.becomes}</th>
              <th scope="col">{words.why}</th>
            </tr>
          </thead>
          {groups
            .filter(({ columns }) => columns.length > 0)
            .map(({ title, columns }) => (
              <tbody key={title}>
                <tr class="group">
                  <th colSpan={4} scope="rowgroup" class="whole">
                    {title}
                  </th>
                </tr>
                {columns.map((one) => (
                  <ColumnRow key={one.index} facts={one} onChange={onChange} />
                ))}
              </tbody>
            ))}
        </table>
      </div>
    </Panel>
  );
};

const ColumnRow = ({ facts, onChange }: { readonly facts: ColumnFacts; readonly onChange: Change }) => {
  const { texts } = useApp();
  const words = texts.import.columns;
  const { column, values, target, reasons, doubts } = facts;
  return (
    <tr>
      <th scope="row">
        <bdi>{column}</bdi>
      </th>
      <td class="whole small muted values">
        {values.map((value, at) => (
          <span key={value}>
            {at > 0 && ', '}
            <bdi>{value}</bdi>
          </span>
        ))}
      </td>
      <td class="whole">
        <select
          aria-label={words.fieldFor(column)}
          value={target}
          onChange={({ currentTarget: { value } }) => {
            onChange(column, value === '' ? null : value);
          }}
        >
          <option value="">{words.leaveOut}</option>
          {targetsFor(column, target).map((one) => (
            <option key={one} value={one}>
              {targetName(texts, one)}
            </option>
          ))}
        </select>
      </td>
      <td class="whole small muted">
        {doubts.map((doubt) => (
          <p key={doubt} class="doubt">
            <Icon name="warn" small />
            <span>{plainWords(texts, doubt)}</span>
          </p>
        ))}
        {doubts.length === 0 && reasons.map((reason) => plainWords(texts, reason)).join(' ')}
      </td>
    </tr>
  );
};
