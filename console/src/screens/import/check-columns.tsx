/** The step between choosing a file and importing it: what was found, what becomes of each column, and the dry run. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { hasIdentity } from '../../../../client/src/imports/mapping.ts';
import { useLoad } from '../../load.ts';
import { Live, Notice, Problem } from '../../parts/notice.tsx';
import { Head, Loading } from '../../parts/panel.tsx';
import { Columns } from './columns.tsx';
import { FileForm } from './file-form.tsx';
import { beginningOf } from './first-bytes.ts';
import { FirstRows } from './first-rows.tsx';
import { readFile, storedDefinitions, type Again, type Reading, type Wish } from './read-file.ts';
import { Steps } from './steps.tsx';
import { plainWords } from './targets.ts';
import { ProgressPanel, TrialPanel } from './trial-panel.tsx';
import { useTrial, type Trial } from './use-trial.ts';

const noWish: Wish = {
  targets: new Map(),
  encoding: undefined,
  delimiter: undefined,
  headerLine: undefined,
  isOwn: false,
};

/** Checks a file. `onAnother` puts it away. */
export const CheckColumns = ({
  file,
  onAnother,
}: {
  readonly file: File;
  readonly onAnother: () => void;
}) => {
  const { api, texts } = useApp();
  const [wish, setWish] = useState(noWish);
  const stored = useLoad('stored', () => storedDefinitions(api));
  const known = stored.data;
  const key = known && JSON.stringify({ ...wish, targets: [...wish.targets] });
  const read = useLoad(key, async () => readFile(api, await beginningOf(file), known ?? [], wish));
  // While a change is being read, the table stays as it was.
  const [last, setLast] = useState<Reading | undefined>(undefined);
  if (read.data !== undefined && read.data !== last) setLast(read.data);
  const reading = read.data ?? last;
  const trial = useTrial(api, file, read.data);
  const onChange = (column: string, target: string | null): void => {
    setWish({ ...wish, targets: new Map([...wish.targets, [column, target]]) });
  };
  return (
    <>
      <Steps at="check" />
      <Live text={useTrialWords(trial)} />
      <Head title={file.name} line={reading && <FileForm reading={reading} wish={wish} onWish={setWish} />}>
        <button type="button" class="button" onClick={onAnother}>
          {texts.import.check.another}
        </button>
        {reading && <MainButton reading={reading} trial={trial} isReading={read.data === undefined} />}
      </Head>
      <Problem error={stored.problem} texts={texts} />
      {reading === undefined || read.problem !== undefined ? (
        <Loading from={read} texts={texts}>
          {() => null}
        </Loading>
      ) : null}
      {reading && (
        <>
          <Problem error={trial.problem} texts={texts} />
          {trial.progress && <ProgressPanel progress={trial.progress} />}
          {trial.tried && <TrialPanel job={trial.tried} />}
          <Remarks reading={reading} wish={wish} onWish={setWish} />
          <Columns reading={reading} onChange={onChange} />
          <FirstRows reading={reading} />
        </>
      )}
    </>
  );
};

/** How far a dry run is, and what it found, for those who hear the page. */
const useTrialWords = ({ tried, progress }: Trial): string => {
  const { texts, format } = useApp();
  const words = texts.import.trial;
  if (progress !== undefined) return progress.kind === 'sending' ? words.sending : words.trying;
  if (tried === undefined) return '';
  if (tried.failure !== null) return words.failed;
  const { completed, unserializable, failed } = tried.counts;
  const refused = format.number(unserializable + failed);
  return `${words.stored}: ${format.number(completed)}. ${words.refused}: ${refused}.`;
};

/** The button that goes on: a dry run first, then the import of its rows. */
const MainButton = (props: {
  readonly reading: Reading;
  readonly trial: Trial;
  readonly isReading: boolean;
}) => {
  const { texts, format, can } = useApp();
  const { reading, trial, isReading } = props;
  const words = texts.import.check;
  const { tried } = trial;
  const { definition, again, failure } = reading;
  const isPossible =
    definition !== undefined &&
    failure === null &&
    hasIdentity(definition) &&
    (again !== undefined || can('definitions.write'));
  if (!isPossible) return null;
  if (tried === undefined) {
    return (
      <button
        key="try"
        type="button"
        class="button main"
        aria-disabled={trial.running || isReading}
        onClick={trial.tryFile}
      >
        {trial.running ? words.trying : words.tryRows}
      </button>
    );
  }
  const stops = tried.failure !== null || (tried.dry_run_result?.stopped_by ?? null) !== null;
  if (stops || tried.counts.completed === 0 || definition.test_mode === true) return null;
  return (
    // Another element: a second press of the button that tried must not import.
    <button
      key="import"
      type="button"
      class="button main"
      aria-disabled={trial.running || isReading}
      onClick={trial.importFile}
    >
      {words.importRows(format.number(tried.counts.completed), tried.counts.completed)}
    </button>
  );
};

/** What concerns the file as a whole: why it cannot be read, doubts, and the definition that is used again. */
const Remarks = (props: {
  readonly reading: Reading;
  readonly wish: Wish;
  readonly onWish: (wish: Wish) => void;
}) => {
  const { texts, can } = useApp();
  const { reading, wish, onWish } = props;
  const words = texts.import.check;
  const { inspected, definition, again, failure } = reading;
  const { suggestion, hidden } = inspected;
  const doubts = suggestion.doubts.filter(({ column }) => column === null);
  const isNew = definition !== undefined && again === undefined;
  return (
    <>
      {failure !== null && (
        <Notice kind="bad" title={words.unreadable}>
          <p>{failure.message}</p>
          <p class="code">{failure.code}</p>
        </Notice>
      )}
      {hidden !== null && <Notice>{hidden}</Notice>}
      {definition !== undefined && !hasIdentity(definition) && (
        <Notice kind="warn" title={words.noIdentity}>
          <p>{words.noIdentityLine}</p>
        </Notice>
      )}
      {isNew && !can('definitions.write') && <Notice kind="warn">{words.noRight}</Notice>}
      {again !== undefined && <UsedAgain again={again} onOwn={() => onWish({ ...wish, isOwn: true })} />}
      {wish.isOwn && (
        <Notice
          actions={
            <button type="button" class="button small" onClick={() => onWish({ ...wish, isOwn: false })}>
              {words.useStored}
            </button>
          }
        >
          {words.ownLine(definition?.name ?? '')}
        </Notice>
      )}
      {doubts.map(({ saw, does }) => (
        <Notice key={saw} kind="warn">
          {plainWords(texts, `${saw} ${does}`)}
        </Notice>
      ))}
      {suggestion.notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
    </>
  );
};

/** The definition of the service that reads the file, and what it does otherwise than the file suggests. */
const UsedAgain = ({ again, onOwn }: { readonly again: Again; readonly onOwn: () => void }) => {
  const { texts, can } = useApp();
  const words = texts.import.check;
  const { stored, differences, nobodies, isDoubtful } = again;
  return (
    <Notice
      {...(isDoubtful ? { kind: 'warn' as const } : {})}
      title={words.again(stored.name)}
      actions={
        can('definitions.write') && (
          <button type="button" class="button small" onClick={onOwn}>
            {words.ownDefinition}
          </button>
        )
      }
    >
      {differences.map((difference) => (
        <p key={difference}>{difference}</p>
      ))}
      {nobodies.length > 0 && <p>{words.nobodies(nobodies.join(', '))}</p>}
    </Notice>
  );
};
