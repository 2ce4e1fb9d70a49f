/** The undo of an import: what it takes back, in numbers, and its receipt. */
import { useApp } from '../../app-context.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { JobPath } from './report-rows.ts';
import { Figure } from './trial-panel.tsx';
import type { ImportJob } from './use-trial.ts';

/** An undo is possible for so long after the first row. */
const DAYS = 28;
const DAY_MS = 86_400_000;

/** Whether a job can be undone, as far as its answer says it. */
export const canBeUndone = ({ started, finished, dry_run, undo, counts }: ImportJob, now: number): boolean =>
  finished !== null &&
  !dry_run &&
  undo === null &&
  counts.completed > 0 &&
  started !== null &&
  now - Date.parse(started) < DAYS * DAY_MS;

/** The button that asks before it undoes a job. */
export const UndoButton = (props: {
  readonly job: ImportJob;
  readonly path: JobPath;
  readonly onUndo: () => void;
}) => {
  const { api, texts, format } = useApp();
  const { job, path, onUndo } = props;
  const words = texts.import.undo;
  const rows = format.number(job.counts.completed);
  return (
    <ConfirmButton
      label={words.button}
      icon="undo"
      title={words.title(job.name)}
      cancel={texts.parts.cancel}
      confirm={words.confirm(rows, job.counts.completed)}
      work={async () => {
        await api.undoImportJob({ path });
        onUndo();
      }}
    >
      <dl class="figures">
        <Figure name={words.stored} value={rows} />
      </dl>
      <p>{words.line}</p>
      <p class="muted">{words.stays}</p>
    </ConfirmButton>
  );
};

/** What an undo has taken back so far, or in all. */
export const UndoReceipt = ({ undo }: { readonly undo: NonNullable<ImportJob['undo']> }) => {
  const { texts, format } = useApp();
  const words = texts.import.undo;
  const { values, people, segments } = undo;
  const isRunning = undo.finished === null;
  const aside = !isRunning && (
    <span class="state">
      <Icon name="tick" small />
      {words.finished(format.when(undo.finished))}
    </span>
  );
  const figures: readonly (readonly [string, number, string?])[] = [
    [words.values, values.taken_back],
    [words.removed, people.removed, words.removedLine],
    [words.changed, people.changed],
    [words.unchanged, people.unchanged],
    [words.segments, segments.removed],
    ...(values.replaced > 0 ? [[words.replaced, values.replaced, words.replacedLine] as const] : []),
    ...(values.kept > 0 ? [[words.kept, values.kept, words.keptLine] as const] : []),
    ...(people.not_restored > 0
      ? [[words.notRestored, people.not_restored, words.notRestoredLine] as const]
      : []),
  ];
  return (
    <Panel title={isRunning ? words.running : words.receipt} aside={aside} body>
      {isRunning && <progress aria-label={words.running} />}
      <dl class="figures">
        {figures.map(([name, value, second]) => (
          <Figure
            key={name}
            name={name}
            value={format.number(value)}
            {...(second === undefined ? {} : { second })}
          />
        ))}
      </dl>
    </Panel>
  );
};
