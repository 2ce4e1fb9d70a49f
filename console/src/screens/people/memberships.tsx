/** The segments of a person, by type and filtered, each with its explanation. */
import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useFew } from '../../parts/few.tsx';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { wordFor } from '../../words.ts';
import { nameOf } from '../../segment-name.ts';
import type { Known } from './known.ts';

type Segment = NonNullable<Known['segments']>[number];

/** The types in the order of the list: what users made first, then what they send, then what the service derives. */
const order = [
  'custom',
  'condition',
  'moment',
  'tag',
  'source',
  'consent',
  'location',
  'demographic',
  'brand',
  'CATEGORY',
];

/** Segments that are shown at first, and from which on a filter helps. */
const FEW = 8;

const sorted = (segments: readonly Segment[]): readonly Segment[] =>
  segments
    .filter(({ type }) => type !== 'everyone')
    .toSorted(
      (one, other) =>
        order.indexOf(one.type) - order.indexOf(other.type) || one.name.localeCompare(other.name),
    );

/** A list of segments in the panel. */
interface Listed {
  readonly uuid: string;
  readonly segments: readonly Segment[];
  /** The segment that the drawer explains. */
  readonly open: string | undefined;
}

export const SegmentsPanel = (props: Listed) => {
  const { texts, format } = useApp();
  const words = texts.people;
  const all = useMemo(() => sorted(props.segments), [props.segments]);
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLocaleLowerCase();
  const found = all.filter((segment) =>
    `${segment.name}\n${nameOf(segment, texts)}\n${wordFor(texts, 'segmentType', segment.type)}`
      .toLocaleLowerCase()
      .includes(wanted),
  );
  const { shown, more, reset } = useFew(found.length, FEW);
  const onFilter = (text: string): void => {
    setFilter(text);
    reset();
  };
  return (
    <Panel
      title={words.segments}
      aside={<span class="muted">{format.number(all.length)}</span>}
      body={all.length === 0}
      {...(more === undefined ? {} : { footer: more })}
    >
      {all.length === 0 && <p class="muted">{words.noSegments}</p>}
      {all.length > FEW && (
        <div class="filter">
          <input
            type="search"
            value={filter}
            aria-label={words.filter}
            placeholder={words.filter}
            onInput={({ currentTarget }) => onFilter(currentTarget.value)}
          />
        </div>
      )}
      {all.length > 0 && found.length === 0 && <p class="filter muted">{words.noneLikeThat}</p>}
      {found.length > 0 && (
        <SegmentTable uuid={props.uuid} segments={found.slice(0, shown)} open={props.open} />
      )}
    </Panel>
  );
};

const SegmentTable = ({ uuid, segments, open }: Listed) => {
  const { texts } = useApp();
  return (
    <table>
      <thead class="unseen">
        <tr>
          <th scope="col">{texts.people.segment}</th>
          <th scope="col">{texts.people.explanation}</th>
        </tr>
      </thead>
      <tbody>
        {segments.map((segment) => (
          <SegmentRow key={segment.id} uuid={uuid} segment={segment} isOpen={open === String(segment.id)} />
        ))}
      </tbody>
    </table>
  );
};

const SegmentRow = (props: {
  readonly uuid: string;
  readonly segment: Segment;
  readonly isOpen: boolean;
}) => {
  const { texts, can } = useApp();
  const { id, type } = props.segment;
  const shown = nameOf(props.segment, texts);
  const link = linkTo('segments', [id]);
  return (
    <tr {...(props.isOpen ? { 'data-open': '' } : {})}>
      <th scope="row">
        {can('definitions.read') ? (
          <a href={link}>
            <bdi>{shown}</bdi>
          </a>
        ) : (
          <bdi>{shown}</bdi>
        )}
        <span class="second">{wordFor(texts, 'segmentType', type)}</span>
      </th>
      <td class="number">
        <a class="button plain small" href={linkTo('people', [props.uuid, id])}>
          {texts.people.whyThis}
          <span class="unseen">
            {' '}
            <bdi>{shown}</bdi>
          </span>
        </a>
      </td>
    </tr>
  );
};
