/** The list of the segments: the largest first, filtered in the page. */
import { useRef, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { BUSY_MS, useLoad, type Loaded } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/notice.tsx';
import { Empty, Head, Loading } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { wordFor } from '../../words.ts';
import {
  filtered,
  isPreparing,
  followPreparing,
  loadUnmeasured,
  type Catalogue,
  type Filter,
  type Listed,
  type Segment,
  type SegmentType,
} from './catalogue.ts';
import { nameOf } from '../../segment-name.ts';
import { Name } from './name.tsx';

/** Rows that the list begins with, and gains with each press. */
const ROWS = 50;

export const SegmentList = ({ catalogue }: { readonly catalogue: Loaded<Catalogue> }) => {
  const { texts, format, can } = useApp();
  const words = texts.segments;
  const { data } = catalogue;
  const line = !data?.asOf ? words.line : words.lineAsOf(format.when(data.asOf));
  return (
    <>
      <Head
        title={words.title}
        line={data?.more ? `${line} ${words.most(format.number(data.segments.length))}` : line}
      >
        {can('definitions.write') && can('people.read') && (
          <a class="button main" href={linkTo('segments', ['new'])}>
            <Icon name="plus" small />
            {words.create}
          </a>
        )}
      </Head>
      <Loading from={catalogue} texts={texts}>
        {(loaded) => <Table catalogue={loaded} />}
      </Loading>
    </>
  );
};

const typesOf = (segments: readonly Listed[]): readonly SegmentType[] => [
  ...new Set(segments.map(({ type }) => type)),
];

const Table = ({ catalogue }: { readonly catalogue: Catalogue }) => {
  const { api, texts, format } = useApp();
  const words = texts.segments;
  const [filter, setFilter] = useState<Filter>({ text: '', type: '' });
  const [rows, setRows] = useState(ROWS);
  const known = new Set(catalogue.segments.map(({ id }) => id));
  const earlier = useRef<readonly Segment[] | undefined>(undefined);
  const { data: unmeasured = [], problem } = useLoad(
    'unmeasured',
    async (signal) => {
      earlier.current = await (earlier.current
        ? followPreparing(api, earlier.current, signal)
        : loadUnmeasured(api, known, signal));
      return earlier.current;
    },
    (found) => (found.some(isPreparing) ? BUSY_MS : undefined),
  );
  const all: readonly Listed[] = [...unmeasured, ...catalogue.segments];
  const shown = filtered(all, filter, texts);
  const change = (part: Partial<Filter>): void => {
    setFilter({ ...filter, ...part });
    setRows(ROWS);
  };
  if (all.length === 0) {
    return (
      <Empty title={words.none}>
        <p class="muted">{words.noneLine}</p>
        <a class="button" href={linkTo('import')}>
          {texts.import.title}
        </a>
      </Empty>
    );
  }
  return (
    <>
      <Problem error={problem} texts={texts} />
      <section class="panel" aria-label={words.title}>
        <header>
          <Filters filter={filter} types={typesOf(all)} change={change} />
        </header>
        <Rows segments={shown.slice(0, rows)} />
        <footer>
          <span role="status">
            {texts.parts.shown(format.number(Math.min(rows, shown.length)), format.number(shown.length))}
          </span>
          {shown.length > rows && (
            <button type="button" class="button plain small" onClick={() => setRows(rows + ROWS)}>
              {texts.parts.more(format.number(Math.min(ROWS, shown.length - rows)))}
            </button>
          )}
        </footer>
      </section>
    </>
  );
};

const Rows = ({ segments }: { readonly segments: readonly Listed[] }) => {
  const { texts } = useApp();
  const words = texts.segments;
  if (segments.length === 0) return <div class="body muted">{words.noMatch}</div>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.type}</th>
          <th scope="col" class="number">
            {words.people}
          </th>
        </tr>
      </thead>
      <tbody>
        {segments.map((segment) => (
          <Row key={segment.id} segment={segment} />
        ))}
      </tbody>
    </table>
  );
};

const Filters = (props: {
  readonly filter: Filter;
  readonly types: readonly SegmentType[];
  readonly change: (part: Partial<Filter>) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments;
  return (
    <>
      <div class="search segment-filter">
        <Icon name="search" />
        <input
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          value={props.filter.text}
          onInput={({ currentTarget }) => props.change({ text: currentTarget.value })}
        />
      </div>
      <select
        class="narrow"
        aria-label={words.type}
        onChange={({ currentTarget }) =>
          props.change({ type: props.types.find((type) => type === currentTarget.value) ?? '' })
        }
      >
        <option value="">{words.everyType}</option>
        {props.types.map((type) => (
          <option key={type} value={type} selected={type === props.filter.type}>
            {wordFor(texts, 'segmentType', type)}
          </option>
        ))}
      </select>
    </>
  );
};

const Row = ({ segment }: { readonly segment: Listed }) => {
  const { texts, format } = useApp();
  const { id, count, type, progress = 0 } = segment;
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('segments', [id])}>
          <Name of={segment} texts={texts} />
        </a>
      </th>
      <td class="muted small">{wordFor(texts, 'segmentType', type)}</td>
      <td class="number">
        {count === null ? (
          <span class="preparing">
            <progress
              value={progress}
              max={1}
              aria-label={texts.segments.preparingOf(nameOf(segment, texts))}
            />
            <span class="small muted">{format.percent(progress, 1)}</span>
          </span>
        ) : (
          <b>{format.number(count)}</b>
        )}
      </td>
    </tr>
  );
};
