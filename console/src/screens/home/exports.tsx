/** The exports that go somewhere or have a schedule: their state, the last error, and a run on request. */
import { useApp } from '../../app-context.ts';
import { Panel } from '../../parts/panel.tsx';
import { exportName, placeOf, undelivered } from './export-words.ts';
import { RunAgain } from './failures.tsx';
import { ExportState } from './files.tsx';
import type { ExportWithJob } from './use-overview.ts';

/** Whether an export is more than a download: it has a schedule or a destination. */
const isLasting = (one: ExportWithJob): boolean =>
  one.definition.schedule !== null || placeOf(one) !== undefined;

/** The table, or nothing. */
export const Exports = (props: {
  readonly exports: readonly ExportWithJob[];
  readonly onChange: () => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.home.exports;
  const lasting = props.exports.filter(isLasting);
  if (lasting.length === 0) return null;
  return (
    <Panel title={words.title} footer={words.footer}>
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
              <th scope="row">
                <bdi>{exportName(texts, one)}</bdi>
                <span class="second">
                  <bdi>{placeOf(one)}</bdi>
                </span>
              </th>
              <td class="whole">
                <ExportState of={one} />
                <span class="second">{one.job?.error?.detail ?? undelivered(one)?.last_error}</span>
              </td>
              <td class="number small muted">{format.when(one.definition.next_run)}</td>
              <td class="whole">
                {one.job?.status !== 'running' && one.job?.status !== 'pending' && (
                  <RunAgain of={one} onChange={props.onChange} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
