/** The exports that go somewhere or have a schedule: their state, the last error, and a run on request. */
import { useApp } from '../../app-context.ts';
import { RunAgain, StopSchedule } from '../../exports/actions.tsx';
import { isLasting, undelivered, type ExportWithJob } from '../../exports/exports.ts';
import { ExportHead } from '../../exports/head.tsx';
import { ExportState } from '../../exports/state.tsx';
import { Panel } from '../../parts/panel.tsx';

/** The table, or nothing. */
export const Exports = (props: {
  readonly exports: readonly ExportWithJob[];
  readonly waiting: ReadonlySet<string>;
  readonly onChange: () => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.home.exports;
  const lasting = props.exports.filter(isLasting);
  if (lasting.length === 0) return null;
  return (
    <Panel title={words.title}>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">{words.export}</th>
            <th scope="col">{words.state}</th>
            <th scope="col" class="number">
              {words.next}
            </th>
            <th scope="col">
              <span class="unseen">{words.run}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lasting.map((one) => (
            <tr key={one.definition.id}>
              <ExportHead of={one} />
              <td class="whole">
                <ExportState of={one} />
                <span class="second">
                  {props.waiting.has(one.definition.id)
                    ? words.waits
                    : (one.job?.error?.detail ?? undelivered(one)?.last_error)}
                </span>
              </td>
              <td class="number small muted">{format.when(one.definition.next_run)}</td>
              <td class="whole">
                <div class="row">
                  {one.job?.status !== 'running' && one.job?.status !== 'pending' && (
                    <RunAgain of={one} onChange={props.onChange} />
                  )}
                  {one.definition.schedule !== null && <StopSchedule of={one} onChange={props.onChange} />}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
