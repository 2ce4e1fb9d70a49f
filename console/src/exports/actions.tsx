/** What a reader does with an export: runs it, and ends its schedule. */
import type { Input } from '../../../client/src/types.ts';
import { useApp } from '../app-context.ts';
import { useAction } from '../load.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/notice.tsx';
import { exportName, type ExportWithJob } from './exports.ts';

type SegmentType = NonNullable<Input<'replaceExport'>['body']['tile_types']>[number];

/** The button that runs an export again. */
export const RunAgain = ({ of, onChange }: { readonly of: ExportWithJob; readonly onChange: () => void }) => {
  const { api, texts, can } = useApp();
  const run = useAction(async () => {
    await api.createExportJob({ path: { export_id: of.definition.id } });
    onChange();
  });
  if (!can('exports.write')) return null;
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-disabled={run.running}
        onClick={() => {
          run.run();
        }}
      >
        <Icon name="again" small />
        {of.job === undefined ? texts.home.failures.runNow : texts.home.failures.runAgain}
      </button>
      <Problem error={run.problem} texts={texts} />
    </>
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
