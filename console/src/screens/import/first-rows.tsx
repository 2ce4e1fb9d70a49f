/** The first rows of a file as an import would store them. */
import { useApp } from '../../app-context.ts';
import { isExtra } from '../../../../client/src/imports/mapping.ts';
import { Icon } from '../../parts/icon.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { Reading } from './read-file.ts';
import { cellOf } from './record-cells.ts';
import { wordsOfRow } from './row-words.ts';
import { targetName } from './targets.ts';

type Row = Reading['rows'][number];

/** The rows, with a verdict for each. Extra data is not shown: it has as many columns as the file. */
export const FirstRows = ({ reading }: { readonly reading: Reading }) => {
  const { texts, format } = useApp();
  const words = texts.import.rows;
  const { rows, definition, inspected } = reading;
  if (inspected.hidden !== null || definition === undefined || rows.length === 0) return null;
  const targets = definition.mapping_fields.field_maps.map(({ target_field }) => target_field);
  const shown = targets.filter((target) => !isExtra(target));
  const clean = rows.filter(({ faults, warnings }) => faults.length + warnings.length === 0).length;
  return (
    <Panel title={words.title} aside={words.clean(format.number(rows.length), format.number(clean))}>
      <div class="scroll" tabIndex={0} role="region" aria-label={words.table}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {words.line}
              </th>
              <th scope="col">{words.verdict}</th>
              {shown.map((target) => (
                <th key={target} scope="col">
                  {targetName(texts, target)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.row}>
                <td class="number muted">{format.number(row.line ?? row.row)}</td>
                <td>
                  <Verdict row={row} />
                </td>
                {shown.map((target) => (
                  <Cell key={target} row={row} target={target} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
};

const Verdict = ({ row: { faults, warnings } }: { readonly row: Row }) => {
  const words = useApp().texts.import.rows;
  if (faults.length > 0) {
    return (
      <>
        <span class="state bad">
          <Icon name="cross" small />
          {words.refused}
        </span>
        <Findings of={faults} />
      </>
    );
  }
  if (warnings.length > 0) {
    return (
      <>
        <span class="state warn">
          <Icon name="warn" small />
          {words.warned}
        </span>
        <Findings of={warnings} />
      </>
    );
  }
  return (
    <span class="state">
      <Icon name="tick" small />
      {words.stored}
    </span>
  );
};

const Findings = ({ of }: { readonly of: Row['faults'] }) => {
  const { texts } = useApp();
  return (
    <>
      {of.map((finding) => (
        <span key={`${finding.column ?? ''} ${finding.message}`} class="second finding">
          {finding.column !== null && (
            <>
              <bdi>{finding.column}</bdi>
              {': '}
            </>
          )}
          {wordsOfRow(texts, finding).text}
        </span>
      ))}
    </>
  );
};

const Cell = ({ row, target }: { readonly row: Row; readonly target: string }) => {
  const text = row.record === null ? '' : cellOf(row.record, target);
  const isAbout = ({ field }: Row['faults'][number]): boolean => field === target;
  if (row.faults.some(isAbout)) {
    return (
      <td class="refused">
        <bdi>{text}</bdi>
      </td>
    );
  }
  return (
    <td>
      {row.warnings.some(isAbout) ? <s class="dropped">{text}</s> : <bdi>{text === '' ? '–' : text}</bdi>}
    </td>
  );
};
