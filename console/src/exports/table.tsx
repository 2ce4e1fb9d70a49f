/** The table of lasting exports: their state, when they go next, and what a reader does with them. */
import { useApp } from '../app-context.ts';
import { Panel } from '../parts/panel.tsx';
import { DeleteExport, RunAgain, StartSchedule, StopSchedule } from './actions.tsx';
import {
  exportLink,
  exportName,
  isLasting,
  isRunning,
  placeOf,
  reasonOf,
  sizeOf,
  undeliveredIn,
  type ExportDefinition,
  type ExportWithJob,
} from './exports.ts';
import { ExportState } from './state.tsx';
import { useMailBars, type Exports } from './use-exports.ts';

interface TableProps {
  readonly title: string;
  readonly of: Exports;
  /** Whether the reader is at their segment. Elsewhere they are links to it, and fewer things are shown and done. */
  readonly isAtSegment?: boolean;
  readonly onChange: () => void;
}

/** The table; nothing if no export is lasting. */
export const ExportsTable = (props: TableProps) => {
  const { texts, format } = useApp();
  const words = texts.home.exports;
  const lasting = props.of.exports.filter(({ definition }) => isLasting(definition));
  const bars = useMailBars(lasting.some(({ definition }) => definition.notification_email !== null));
  if (lasting.length === 0) return null;
  const newest = props.of.isPart ? { aside: words.newest(format.number(lasting.length)) } : {};
  return (
    <Panel title={props.title} {...newest}>
      <table class={`cards exports ${props.isAtSegment ? 'full' : ''}`}>
        <thead>
          <tr>
            <th scope="col">{words.export}</th>
            <th scope="col">{words.state}</th>
            {props.isAtSegment && (
              <th scope="col" class="number">
                {words.next}
              </th>
            )}
            <th scope="col">
              <span class="unseen">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lasting.map((one) => (
            <Row key={one.definition.id} {...props} of={one} bar={bars.get(one.definition.id)} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
};

const Row = (
  props: Omit<TableProps, 'of'> & { readonly of: ExportWithJob; readonly bar: string | undefined },
) => {
  const { texts, format, can } = useApp();
  const { of, isAtSegment = false, onChange } = props;
  const words = texts.home.exports;
  const { definition, job } = of;
  const error = reasonOf(
    texts,
    props.bar ?? job?.error?.detail ?? undeliveredIn(job?.deliveries ?? [])?.last_error,
  );
  const facts = [sizeOf(texts, format, of), job?.finished && format.when(job.finished)].filter(Boolean);
  return (
    <tr>
      <th scope="row">
        {isAtSegment ? <bdi>{exportName(texts, definition)}</bdi> : <ExportName of={definition} />}
        <span class="second">
          <bdi>{placeOf(definition)}</bdi>
        </span>
      </th>
      <td class="whole">
        <ExportState of={of} />
        <span class="second">{error ?? facts.join(' · ')}</span>
      </td>
      {isAtSegment && (
        <td class="number small muted">
          {definition.next_run === null ? words.onRequest : format.when(definition.next_run)}
        </td>
      )}
      <td class="whole">
        {can('exports.write') && (
          <div class="row">
            {!isRunning(of) && <RunAgain {...{ of, onChange }} />}
            {definition.next_run !== null && <StopSchedule {...{ of, onChange }} />}
            {isAtSegment && definition.next_run === null && <StartSchedule {...{ of, onChange }} />}
            {isAtSegment && <DeleteExport {...{ of, onChange }} />}
          </div>
        )}
      </td>
    </tr>
  );
};

/** The name of an export, as a link to the page of its segment. */
export const ExportName = ({ of }: { readonly of: ExportDefinition }) => {
  const { texts } = useApp();
  const name = <bdi>{exportName(texts, of)}</bdi>;
  const href = exportLink(of);
  return href === undefined ? name : <a href={href}>{name}</a>;
};
