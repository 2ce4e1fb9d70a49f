/** A segment as a CSV file: an export is made, followed, and its file opened. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useAction } from '../../load.ts';
import { Dialog, FormButtons } from '../../parts/dialog.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import { openFile } from '../../save-file.ts';
import { wordFor } from '../../words.ts';
import type { Segment } from './catalogue.ts';
import type { Channel } from './channels.ts';
import type { TableColumn } from './columns.ts';
import {
  ColumnsField,
  ConsentField,
  FormatField,
  formatOf,
  hasEmail,
  peopleIn,
  useChannel,
  useConsentCounts,
  type FileFormat,
  type Wanted,
} from './file-fields.tsx';
import { startFile, type FileBody } from './file-job.ts';
import { NAME_CHARACTERS, nameOf } from '../../segment-name.ts';
import { Name } from './name.tsx';

interface Done {
  readonly rows: number;
  readonly bytes: number;
  readonly location: string;
}

/** Makes the file of a segment and opens it. `progress` is the share that is written. */
const useDownload = (segment: Segment) => {
  const { api, texts } = useApp();
  const [progress, setProgress] = useState(0);
  const [done, setDone] = useState<Done>();
  const ends = useRef(new AbortController());
  useEffect(() => () => ends.current.abort(), []);
  const action = useAction(async (format: FileFormat, channel: string | undefined) => {
    const { signal } = ends.current;
    setDone(undefined);
    setProgress(0);
    const body: FileBody = {
      name: texts.segments.download.fileName(nameOf(segment, texts)).slice(0, NAME_CHARACTERS),
      segment: [segment.id],
      ...(channel === undefined ? {} : { consent: { channel, state: 'given' } }),
      ...format,
    };
    const job = await api.waitForExport({
      ...(await startFile(api, body, signal)),
      signal,
      onProgress: (seen) => setProgress(seen.progress),
    });
    if (job.location === null) throw new Error(job.error?.detail ?? texts.segments.download.failed);
    setDone({ rows: job.rows ?? 0, bytes: job.bytes ?? 0, location: job.location });
    if (job.rows !== 0) openFile(job.location);
  });
  return { ...action, progress, done };
};

export const DownloadDialog = (props: {
  readonly segment: Segment;
  readonly channels: readonly Channel[];
  /** The columns of the table, if the reader comes from there. */
  readonly shown: readonly TableColumn[] | undefined;
  readonly onClose: () => void;
}) => {
  const { segment, channels, shown } = props;
  const { texts } = useApp();
  const words = texts.segments.download;
  const [wanted, setWanted] = useState<Wanted>(shown ? 'shown' : 'usual');
  const [channel, setChannel] = useChannel(channels);
  const [forExcel, setForExcel] = useState(true);
  const counts = useConsentCounts(segment, channels);
  const download = useDownload(segment);
  const people = peopleIn(segment, channel, channels, counts);
  const footer = (
    <FormButtons
      isDone={download.done !== undefined}
      isReady={!download.running && people !== 0}
      texts={texts}
      onClose={props.onClose}
      onSubmit={() => {
        download.run(formatOf(wanted, shown, forExcel, texts), channel);
      }}
    >
      <Submit people={people} />
    </FormButtons>
  );
  return (
    <Dialog
      title={words.title}
      line={<Name of={segment} texts={texts} />}
      close={texts.parts.close}
      onClose={props.onClose}
      footer={footer}
    >
      {!download.done && (
        <>
          <ColumnsField wanted={wanted} withShown={shown !== undefined} onChange={setWanted} />
          <ConsentField
            {...{ segment, channels, counts, channel }}
            withEmail={hasEmail(wanted, shown)}
            onChange={setChannel}
          />
          <FormatField forExcel={forExcel} onChange={setForExcel} />
        </>
      )}
      <State {...download} people={people} channel={channel} />
    </Dialog>
  );
};

const Submit = ({ people }: { readonly people: number | undefined }) => {
  const { texts, format } = useApp();
  const words = texts.segments.download;
  return (
    <>{people === undefined ? words.start : words.submit(words.people(people, format.number(people)))}</>
  );
};

const State = (props: {
  readonly running: boolean;
  readonly progress: number;
  readonly done: Done | undefined;
  readonly problem: unknown;
  readonly people: number | undefined;
  readonly channel: string | undefined;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.download;
  const { done, channel } = props;
  const nobody = channel !== undefined && (done?.rows ?? props.people) === 0;
  return (
    <>
      {props.running && (
        <div class="stack" role="status">
          <progress value={props.progress} max={1} aria-label={words.start} />
          <p class="small muted">{words.running(format.percent(props.progress, 1))}</p>
        </div>
      )}
      {nobody && <Notice kind="warn">{words.nobody(wordFor(texts, 'channel', channel))}</Notice>}
      {done && !nobody && (
        <Notice title={words.done(format.number(done.rows), format.bytes(done.bytes))}>
          <p>{words.doneLine}</p>
          <p>
            <a href={done.location} rel="noreferrer">
              {words.again}
            </a>
          </p>
        </Notice>
      )}
      <Problem error={props.problem} texts={texts} title={words.failed} />
    </>
  );
};
