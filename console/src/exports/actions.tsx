/** What a reader does with an export: runs it, ends or begins its schedule, deletes it. */
import { useState } from 'preact/hooks';
import type { Input } from '../../../client/src/types.ts';
import { useApp } from '../app-context.ts';
import { useAction } from '../load.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/notice.tsx';
import { exportName, type ExportWithJob } from './exports.ts';
import { everyWeek, type Weekday } from './schedule.ts';
import { WeekdayField, weekdayName } from './weekday.tsx';

type Body = Input<'replaceExport'>['body'];
type SegmentType = NonNullable<Body['tile_types']>[number];

interface ActionProps {
  readonly of: ExportWithJob;
  readonly onChange: () => void;
}

/** The button that runs an export again. */
export const RunAgain = ({ of, onChange }: ActionProps) => {
  const { api, texts } = useApp();
  const run = useAction(async () => {
    await api.createExportJob({ path: { export_id: of.definition.id } });
    onChange();
  });
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

/** Gives an export another schedule. The rest stays as it is now, also a secret that no answer shows. */
const useReschedule = ({ of, onChange }: ActionProps) => {
  const { api, texts } = useApp();
  const isType = (type: string): type is SegmentType => Object.hasOwn(texts.words.segmentType, type);
  return async (schedule: NonNullable<Body['schedule']> | null): Promise<void> => {
    const path = { export_id: of.definition.id };
    const { tile_types, ...own } = await api.getExport({ path });
    await api.replaceExport({ path, body: { ...own, tile_types: tile_types.filter(isType), schedule } });
    onChange();
  };
};

/** A replaced export has no base for a delta. */
const DeltaLine = ({ of: { definition } }: ActionProps) => {
  const words = useApp().texts.home.exports;
  return definition.scope === 'delta' ? <p>{words.deltaLine}</p> : null;
};

/** The button that ends the schedule of an export, and asks before. The export stays. */
export const StopSchedule = (props: ActionProps) => {
  const { texts } = useApp();
  const words = texts.home.exports;
  const reschedule = useReschedule(props);
  return (
    <ConfirmButton
      label={words.stop}
      small
      title={words.stopTitle(exportName(texts, props.of.definition))}
      cancel={texts.parts.cancel}
      confirm={words.stopConfirm}
      work={() => reschedule(null)}
    >
      <p>{words.stopLine}</p>
      <DeltaLine {...props} />
    </ConfirmButton>
  );
};

/** The button that gives an export without runs to come a day of the week. */
export const StartSchedule = (props: ActionProps) => {
  const { texts } = useApp();
  const words = texts.home.exports;
  const [weekday, setWeekday] = useState<Weekday>('mon');
  const reschedule = useReschedule(props);
  return (
    <ConfirmButton
      label={words.start}
      small
      isSafe
      title={words.startTitle(exportName(texts, props.of.definition))}
      cancel={texts.parts.cancel}
      confirm={texts.segments.weekly.submit(weekdayName(weekday))}
      work={() => reschedule(everyWeek(weekday))}
    >
      <WeekdayField weekday={weekday} onChange={setWeekday} />
      <DeltaLine {...props} />
    </ConfirmButton>
  );
};

/** The button that deletes an export, and says before what ends with it. */
export const DeleteExport = ({ of: { definition }, onChange }: ActionProps) => {
  const { api, texts, format } = useApp();
  const words = texts.home.exports;
  const segments = definition.segment.length;
  return (
    <ConfirmButton
      label={words.remove}
      small
      title={words.removeTitle(exportName(texts, definition))}
      cancel={texts.parts.cancel}
      confirm={words.removeConfirm}
      work={async () => {
        await api.deleteExport({ path: { export_id: definition.id } });
        onChange();
      }}
    >
      {segments > 1 && <p>{words.ofSegments(format.number(segments))}</p>}
      <p>{words.removeLine}</p>
      <p>{words.removeFiles}</p>
      {definition.destination_credentials && <p>{words.removeLogin}</p>}
    </ConfirmButton>
  );
};
