/** A segment as a CSV file: an export is made, followed, and its file opened. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { useAction } from '../../load.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import { wordFor } from '../../words.ts';
import type { Segment } from './catalogue.ts';
import type { Channel } from './channels.ts';
import { exportColumns, type TableColumn } from './columns.ts';
import { useCounts, type Count } from './counts.ts';
import { Name, nameOf } from './name.tsx';

/** What a file has for columns. */
type Wanted = 'usual' | 'shown' | 'all';

interface Done {
  readonly rows: number;
  readonly bytes: number;
  readonly location: string;
}

/** Opens a file that the service offers for download. The page stays where it is. */
const openFile = (location: string): void => {
  const link = document.createElement('a');
  link.href = location;
  link.rel = 'noreferrer';
  link.click();
};

type Format = Pick<NonNullable<Input<'createExport'>['body']>, 'field_set' | 'custom_result_format'>;

/** Makes the file of a segment and opens it. `progress` is the share that is written. */
const useDownload = (segment: Segment) => {
  const { api, texts } = useApp();
  const [progress, setProgress] = useState(0);
  const [done, setDone] = useState<Done>();
  const ends = useRef(new AbortController());
  useEffect(() => () => ends.current.abort(), []);
  const action = useAction(async (format: Format, channel: string | undefined) => {
    const { signal } = ends.current;
    setDone(undefined);
    setProgress(0);
    const { id } = await api.createExport({
      body: {
        name: texts.segments.download.fileName(nameOf(segment, texts)).slice(0, 255),
        segment: [segment.id],
        ...(channel === undefined ? {} : { consent: { channel, state: 'given' } }),
        ...format,
      },
      signal,
    });
    const job = await api.waitForExport({
      exportId: id,
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
  const { texts, can } = useApp();
  const words = texts.segments.download;
  const [wanted, setWanted] = useState<Wanted>(shown ? 'shown' : 'usual');
  const [channel, setChannel] = useState<string>();
  const counting = can('people.read') ? channels : [];
  const { counts } = useCounts(counting.map((one) => ({ all: [segment.id, one.segment] })));
  const download = useDownload(segment);
  const people = usePeople(segment, channel, channels, counts);
  const format = (): Format => {
    if (wanted === 'all') return { field_set: 'all' };
    const columns = wanted === 'shown' && shown ? shown : (['name', 'email', 'city'] as const);
    return { field_set: 'custom', custom_result_format: exportColumns(columns, texts) };
  };
  const footer = (
    <>
      <button type="button" class="button" onClick={props.onClose}>
        {download.done ? texts.parts.close : texts.parts.cancel}
      </button>
      {!download.done && (
        <button
          type="button"
          class="button main"
          disabled={download.running || people === 0}
          onClick={() => download.run(format(), channel)}
        >
          <Submit people={people} />
        </button>
      )}
    </>
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
          <ConsentField {...{ segment, channels, counts, channel }} onChange={setChannel} />
        </>
      )}
      <State {...download} people={people} channel={channel} />
    </Dialog>
  );
};

/** How many people a file will have, as far as that is known exactly. */
const usePeople = (
  segment: Segment,
  channel: string | undefined,
  channels: readonly Channel[],
  counts: readonly (Count | undefined)[],
): number | undefined => {
  if (channel === undefined) return segment.count ?? undefined;
  const count = counts[channels.findIndex((one) => one.channel === channel)];
  return count?.read === undefined ? count?.people : undefined;
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

const ColumnsField = (props: {
  readonly wanted: Wanted;
  readonly withShown: boolean;
  readonly onChange: (wanted: Wanted) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.download;
  const choices = [
    ...(props.withShown ? [['shown', words.shown] as const] : []),
    ['usual', words.usual] as const,
    ['all', words.everything] as const,
  ];
  return (
    <label class="field">
      <span class="label">{words.columns}</span>
      <select
        onChange={({ currentTarget: { value } }) => {
          const [chosen] = choices.find(([name]) => name === value) ?? [];
          if (chosen !== undefined) props.onChange(chosen);
        }}
      >
        {choices.map(([name, label]) => (
          <option key={name} value={name} selected={name === props.wanted}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
};

/** The choice of a consent, with how many people each leaves. */
export const ConsentField = (props: {
  readonly segment: Segment;
  readonly channels: readonly Channel[];
  readonly counts: readonly (Count | undefined)[];
  readonly channel: string | undefined;
  readonly onChange: (channel: string | undefined) => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.download;
  const peopleOf = (count: number | null | undefined): string =>
    count === undefined || count === null ? '–' : words.people(count, format.number(count));
  return (
    <label class="field">
      <span class="label">{words.consent}</span>
      <select
        onChange={({ currentTarget: { value } }) =>
          props.onChange(props.channels.find(({ segment }) => String(segment) === value)?.channel)
        }
      >
        <option value="">{words.everybody(peopleOf(props.segment.count))}</option>
        {props.channels.map(({ channel, segment }, index) => (
          <option key={segment} value={segment} selected={channel === props.channel}>
            {words.given(wordFor(texts, 'channel', channel), peopleOf(props.counts[index]?.people))}
          </option>
        ))}
      </select>
      {props.channels.length === 0 && <span class="hint">{words.noChannel}</span>}
    </label>
  );
};
