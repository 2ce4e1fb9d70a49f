/** The people of a segment, in columns of one's choice, page by page. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { FoldedPanel, Head, Loading } from '../../parts/panel.tsx';
import { personName } from '../../person-name.ts';
import { linkTo } from '../../route.ts';
import type { Segment } from './catalogue.ts';
import { cellOf, columnsWith, columnWord, includedFor, type Person, type TableColumn } from './columns.ts';
import { Name } from './name.tsx';

const ROWS = 25;

/** Where a page begins: the query that the service gave for it, and the number of its first person if that is known. */
interface Place {
  readonly query: Readonly<Record<string, string>>;
  readonly from: number | undefined;
}

const first: Place = { query: {}, from: 1 };

/** The place of a link to another page, without its include: the reader may choose other columns before the next page. */
const placeOf = (link: string, from: number | undefined): Place => {
  const { searchParams } = new URL(link);
  searchParams.delete('include');
  const query = Object.fromEntries(searchParams);
  return { query, from: from !== undefined && from > 0 ? from : undefined };
};

export const Members = (props: {
  readonly segment: Segment;
  /** The channels of the property on which somebody has said something. */
  readonly channels: readonly string[];
  readonly columns: readonly TableColumn[];
  readonly onColumns: (columns: readonly TableColumn[]) => void;
  readonly onDownload: (() => void) | undefined;
}) => {
  const { segment, columns } = props;
  const { texts, format } = useApp();
  const words = texts.segments.members;
  const crumb = (
    <>
      <a href={linkTo('segments')}>{texts.segments.title}</a> /{' '}
      <a href={linkTo('segments', [segment.id])}>
        <Name of={segment} texts={texts} />
      </a>
    </>
  );
  const title = (
    <>
      {words.title(segment.count === null ? '–' : format.number(segment.count))}{' '}
      <Name of={segment} texts={texts} />
    </>
  );
  return (
    <>
      <Head title={title} crumb={crumb}>
        {props.onDownload && (
          <button type="button" class="button main" onClick={props.onDownload}>
            <Icon name="download" small />
            {words.download}
          </button>
        )}
      </Head>
      <Columns all={columnsWith(props.channels)} columns={columns} onColumns={props.onColumns} />
      <People segment={segment} columns={columns} />
    </>
  );
};

const Columns = (props: {
  readonly all: readonly TableColumn[];
  readonly columns: readonly TableColumn[];
  readonly onColumns: (columns: readonly TableColumn[]) => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.members;
  const { all, columns, onColumns } = props;
  return (
    <FoldedPanel
      title={words.columns}
      tag={words.chosen(format.number(columns.length), format.number(all.length))}
    >
      <fieldset class="body row" aria-label={words.show}>
        {all.map((column) => (
          <label key={column} class="check small">
            <input
              type="checkbox"
              checked={columns.includes(column)}
              disabled={columns.length === 1 && columns.includes(column)}
              onChange={({ currentTarget: { checked } }) =>
                onColumns(all.filter((one) => (one === column ? checked : columns.includes(one))))
              }
            />
            {columnWord(texts, column)}
          </label>
        ))}
      </fieldset>
    </FoldedPanel>
  );
};

const People = ({
  segment,
  columns,
}: {
  readonly segment: Segment;
  readonly columns: readonly TableColumn[];
}) => {
  const { api, texts } = useApp();
  const [place, setPlace] = useState(first);
  const include = includedFor(columns);
  const loaded = useLoad(JSON.stringify([segment.id, place.query, include]), async (signal) => {
    const path = { segment_id: segment.id };
    const { profiles, paging } = await api.listSegmentProfiles({
      path,
      query: { limit: ROWS, ...place.query, ...(include.length > 0 && { include }) },
      signal,
    });
    return { people: profiles, paging };
  });
  return (
    <Loading from={loaded} texts={texts}>
      {({ people, paging }) => {
        const { from } = place;
        const go = (link: string | null, next: number | undefined) =>
          link === null ? undefined : () => setPlace(placeOf(link, next));
        return (
          <section class="panel" aria-label={texts.segments.people}>
            <PeopleTable people={people} columns={columns} />
            <Pager
              from={from}
              count={people.length}
              all={segment.count}
              onPrevious={go(paging.previous_page, from === undefined ? undefined : from - ROWS)}
              onNext={go(paging.next_page, from === undefined ? undefined : from + people.length)}
            />
          </section>
        );
      }}
    </Loading>
  );
};

/** People in a table that scrolls in its panel. */
export const PeopleTable = (props: {
  readonly people: readonly Person[];
  readonly columns: readonly TableColumn[];
}) => {
  const { texts, format } = useApp();
  const { members } = texts.segments;
  const others = props.columns.flatMap((column) => (column === 'name' ? [] : [column]));
  if (props.people.length === 0) return <div class="body muted">{members.nobody}</div>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={members.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{columnWord(texts, 'name')}</th>
            {others.map((column) => (
              <th key={column} scope="col">
                {columnWord(texts, column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.people.map((person) => (
            <tr key={person.profile_uuid}>
              <th scope="row">
                <PersonLink person={person} />
              </th>
              {others.map((column) => (
                <td key={column}>
                  <bdi>{cellOf(person, column, texts, format)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The name of a person, which leads to the person. */
export const PersonLink = ({ person }: { readonly person: Person }) => {
  const { texts } = useApp();
  const shown = <bdi>{personName(person, texts)}</bdi>;
  return person.profile_uuid === null ? shown : <a href={linkTo('people', [person.profile_uuid])}>{shown}</a>;
};

const Pager = (props: {
  readonly from: number | undefined;
  readonly count: number;
  readonly all: number | null;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.members;
  const { from, count, all } = props;
  const range = (): string => {
    if (from === undefined || count === 0) return '';
    const [begin, end] = [format.number(from), format.number(from + count - 1)];
    return all === null ? words.rangeOnly(begin, end) : words.range(begin, end, format.number(all));
  };
  return (
    <footer>
      <span role="status">{range()}</span>
      <span class="end row">
        <button
          type="button"
          class="button small"
          aria-disabled={!props.onPrevious}
          onClick={props.onPrevious}
        >
          {words.previous}
        </button>
        <button type="button" class="button small" aria-disabled={!props.onNext} onClick={props.onNext}>
          {words.next}
        </button>
      </span>
    </footer>
  );
};
