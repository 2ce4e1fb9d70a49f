/** The lists of a segment that go out by themselves: when, to whom, and how to stop them. */
import { useApp } from '../../app-context.ts';
import { StopSchedule } from '../../exports/actions.tsx';
import type { ExportWithJob } from '../../exports/exports.ts';
import { ExportHead } from '../../exports/head.tsx';
import { useLoad } from '../../load.ts';
import { Panel } from '../../parts/panel.tsx';

/** Exports that are looked through, the newest first. */
const LISTED = 1_000;

/** The table; nothing without such lists. `round` changes when there may be others. */
export const Scheduled = ({ segment, round }: { readonly segment: number; readonly round: string }) => {
  const { api, texts, format } = useApp();
  const words = texts.home.exports;
  const { data = [], reload } = useLoad(`lists ${segment} ${round}`, async (signal) => {
    const { exports } = await api.listExports({ query: { order: 'newest', limit: LISTED }, signal });
    return exports
      .filter(({ schedule, segment: all }) => schedule !== null && all.includes(segment))
      .map((definition): ExportWithJob => ({ definition, job: undefined }));
  });
  if (data.length === 0) return null;
  return (
    <Panel title={texts.segments.weekly.scheduled}>
      <table class="cards">
        <thead class="unseen">
          <tr>
            <th scope="col">{words.export}</th>
            <th scope="col">{words.next}</th>
            <th scope="col">{words.stop}</th>
          </tr>
        </thead>
        <tbody>
          {data.map((one) => (
            <tr key={one.definition.id}>
              <ExportHead of={one} />
              <td class="number small muted">{format.when(one.definition.next_run)}</td>
              <td class="whole number">
                <StopSchedule of={one} onChange={reload} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
