/** Who came and who left between two moments of a timeline, by name, and why. */
import { useState } from 'preact/hooks';
import type { Item } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/notice.tsx';
import { Loading } from '../../parts/panel.tsx';
import { WhyDrawer } from '../people/why.tsx';
import type { Person } from './columns.ts';
import { PersonLink } from './members.tsx';

type Moment = Item<'listTimelines'>['moments'][number];
type Choosable = Pick<Moment, 'id' | 'created_date'>;

/** People of a page. */
const ROWS = 50;

interface Change {
  readonly person: Person;
  readonly came: boolean;
}

/** Moments that a timeline has in its list: the newest. */
const LISTED = 100;
/** Moments of a page of one timeline. */
const PAGE = 1_000;

/** The moments to choose from: the newest, and all of them once the reader asks. */
const useMoments = (timeline: number, newest: readonly Moment[]) => {
  const { api } = useApp();
  const [isAsked, setAsked] = useState(false);
  const all = useLoad(isAsked ? `moments ${timeline}` : undefined, async (signal) => {
    const found: Choosable[] = [];
    const query = { limit: PAGE };
    for await (const { moments } of api
      .getTimeline({ path: { timeline_id: timeline }, query, signal })
      .pages())
      found.push(...moments);
    return found;
  });
  const hasMore = newest.length === LISTED && all.data === undefined;
  const more = hasMore && !all.waiting ? () => setAsked(true) : undefined;
  return { moments: all.data ?? newest, problem: all.problem, more };
};

export const Changes = (props: {
  readonly timeline: number;
  readonly segment: number;
  readonly moments: readonly Moment[];
}) => {
  const { api, texts } = useApp();
  const words = texts.segments.growth;
  const { timeline } = props;
  const { moments, problem, more } = useMoments(timeline, props.moments);
  const [from, setFrom] = useState(moments.at(-2)?.id ?? 0);
  const [to, setTo] = useState(moments.at(-1)?.id ?? 0);
  const [page, setPage] = useState<string>();
  const [asked, setAsked] = useState<string>();
  const changes = useLoad(`changes ${timeline} ${from} ${to} ${page ?? ''}`, (signal) =>
    api
      .listTimelineChanges({
        path: { timeline_id: timeline },
        query: { from, to, limit: ROWS, ...(page === undefined ? {} : { page }) },
        signal,
      })
      .then((answer) => answer),
  );
  const choose = (set: (id: number) => void) => (id: number) => {
    set(id);
    setPage(undefined);
  };
  return (
    <section class="panel" aria-label={words.changes}>
      <header>
        <h2>{words.changes}</h2>
        <Choice {...{ moments, from, to, more }} onFrom={choose(setFrom)} onTo={choose(setTo)} />
      </header>
      <Problem error={problem} texts={texts} />
      <Loading from={changes} texts={texts}>
        {({ added, removed, paging }) => (
          <>
            <Rows
              changes={[
                ...added.map((person) => ({ person, came: true })),
                ...removed.map((person) => ({ person, came: false })),
              ]}
              onWhy={setAsked}
            />
            <Foot
              came={added.length}
              left={removed.length}
              page={page}
              next={paging.next_page_uuid}
              onPage={setPage}
            />
          </>
        )}
      </Loading>
      {asked !== undefined && (
        <WhyDrawer uuid={asked} segment={String(props.segment)} wasIn onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
};

/** The choice of two moments. */
const Choice = (props: {
  readonly moments: readonly Choosable[];
  readonly from: number;
  readonly to: number;
  /** Lists the earlier moments too, if there are any. */
  readonly more: (() => void) | undefined;
  readonly onFrom: (id: number) => void;
  readonly onTo: (id: number) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.growth;
  const { moments, more } = props;
  return (
    <span class="end row">
      {more && (
        <button type="button" class="button plain small" onClick={more}>
          {words.earlier}
        </button>
      )}
      <MomentSelect label={words.from} moments={moments} chosen={props.from} onChange={props.onFrom} />
      <MomentSelect label={words.to} moments={moments} chosen={props.to} onChange={props.onTo} />
    </span>
  );
};

const Foot = (props: {
  readonly came: number;
  readonly left: number;
  readonly page: string | undefined;
  readonly next: string | null;
  readonly onPage: (page: string | undefined) => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.growth;
  const { page, next, onPage } = props;
  return (
    <footer>
      <span role="status">
        {words.counts(format.number(props.came), format.number(props.left))}
        {(next !== null || page !== undefined) && ` ${words.ofPage}`}
      </span>
      {(next !== null || page !== undefined) && (
        <span class="end row">
          <button
            type="button"
            class="button small"
            aria-disabled={page === undefined}
            onClick={() => onPage(undefined)}
          >
            {words.first}
          </button>
          <button
            type="button"
            class="button small"
            aria-disabled={next === null}
            onClick={() => onPage(next ?? undefined)}
          >
            {texts.segments.members.next}
          </button>
        </span>
      )}
    </footer>
  );
};

const MomentSelect = (props: {
  readonly label: string;
  readonly moments: readonly Choosable[];
  readonly chosen: number;
  readonly onChange: (id: number) => void;
}) => {
  const { format } = useApp();
  return (
    <label class="row small">
      {props.label}
      <select class="narrow" onChange={({ currentTarget: { value } }) => props.onChange(Number(value))}>
        {props.moments.toReversed().map(({ id, created_date: time }) => (
          <option key={id} value={id} selected={id === props.chosen}>
            {format.day(time)}, {format.clock(time)}
          </option>
        ))}
      </select>
    </label>
  );
};

const Rows = (props: { readonly changes: readonly Change[]; readonly onWhy: (uuid: string) => void }) => {
  const { texts } = useApp();
  const words = texts.segments.growth;
  if (props.changes.length === 0) return <div class="body muted">{words.nobody}</div>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.person}</th>
          <th scope="col">{words.change}</th>
          <th scope="col" class="number">
            {words.why}
          </th>
        </tr>
      </thead>
      <tbody>
        {props.changes.map(({ person, came }) => (
          <tr key={`${person.profile_uuid} ${came}`}>
            <th scope="row">
              <PersonLink person={person} />
              {person.city !== null && (
                <span class="second">
                  <bdi>{person.city}</bdi>
                </span>
              )}
            </th>
            <td>
              <span class={came ? 'state run' : 'state'}>
                <Icon name={came ? 'plus' : 'minus'} small />
                {came ? words.came : words.left}
              </span>
            </td>
            <td class="number">
              <Why uuid={person.profile_uuid} onWhy={props.onWhy} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Why = ({ uuid, onWhy }: { readonly uuid: string | null; readonly onWhy: (uuid: string) => void }) => {
  const { texts } = useApp();
  if (uuid === null) return null;
  return (
    <button type="button" class="button plain small" onClick={() => onWhy(uuid)}>
      {texts.segments.growth.whyNow}
    </button>
  );
};
