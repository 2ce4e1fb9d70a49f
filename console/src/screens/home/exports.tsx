/** The exports that go somewhere or have a schedule: their state, the last error, and a run on request. */
import type { Input } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { exportName, placeOf, undelivered } from './export-words.ts';
import { RunAgain } from './failures.tsx';
import { ExportState } from './files.tsx';
import type { ExportWithJob } from './use-overview.ts';

/** Whether an export is more than a download: it has a schedule or a destination. */
const isLasting = (one: ExportWithJob): boolean =>
  one.definition.schedule !== null || placeOf(one) !== undefined;

type SegmentType = NonNullable<Input<'replaceExport'>['body']['tile_types']>[number];

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

/** The head of a row: the name of an export, and where its files go. */
export const ExportHead = ({ of }: { readonly of: ExportWithJob }) => {
  const { texts } = useApp();
  return (
    <th scope="row">
      <bdi>{exportName(texts, of)}</bdi>
      <span class="second">
        <bdi>{placeOf(of)}</bdi>
      </span>
    </th>
  );
};

/** The button that ends the schedule of an export, and asks before. The export stays. */
export const StopSchedule = ({
  of,
  onChange,
}: {
  readonly of: ExportWithJob;
  readonly onChange: () => void;
}) => {
  const { api, texts, can } = useApp();
  const words = texts.home.exports;
  const path = { export_id: of.definition.id };
  const isType = (type: string): type is SegmentType => Object.hasOwn(texts.words.segmentType, type);
  if (!can('exports.write')) return null;
  return (
    <ConfirmButton
      label={words.stop}
      small
      title={words.stopTitle(exportName(texts, of))}
      cancel={texts.parts.cancel}
      confirm={words.stopConfirm}
      work={async () => {
        // As it is now: a secret that the answer does not show stays.
        const { tile_types, ...own } = await api.getExport({ path });
        const body = { ...own, tile_types: tile_types.filter(isType), schedule: null };
        await api.replaceExport({ path, body });
        onChange();
      }}
    >
      <p>{words.stopLine}</p>
    </ConfirmButton>
  );
};
