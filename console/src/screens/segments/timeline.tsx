/** How a segment grew: the chart of its timeline, and who came and left between two of its moments. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Item } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { everyDay, zone } from '../../exports/schedule.ts';
import { useAction, useLoad, type Loaded } from '../../load.ts';
import { Problem } from '../../parts/notice.tsx';
import { Loading, Panel } from '../../parts/panel.tsx';
import type { Segment } from './catalogue.ts';
import { Changes } from './changes.tsx';
import { chartWidth } from './chart-width.ts';
import { NAME_CHARACTERS, nameOf } from '../../segment-name.ts';

/** A timeline with its newest moments, the oldest of these first. */
export type Timeline = Item<'listTimelines'>;

/** The first timeline that tracks a segment; `null` if there is none. Throws as a call does. */
const timelineOf = async (api: Tidemark, segment: number, signal: AbortSignal): Promise<Timeline | null> => {
  const [first] = await api.listTimelines({ query: { reference_tile: segment, limit: 1 }, signal });
  return first ?? null;
};

/** The timeline of a segment; `null` if there is none. */
export const useTimeline = (segment: number): Loaded<Timeline | null> => {
  const { api } = useApp();
  return useLoad(`timeline ${segment}`, (signal) => timelineOf(api, segment, signal));
};

/** How many people the segment has more or fewer than at the newest moment of its timeline. */
export const Direction = (props: { readonly timeline: Timeline; readonly size: number }) => {
  const { api, texts, format } = useApp();
  const { id, moments } = props.timeline;
  const last = moments.at(-1)?.id;
  const path = { timeline_id: id, moment_id: last ?? 0 };
  const { data } = useLoad(last === undefined ? undefined : `moment ${last}`, (signal) =>
    api.getMoment({ path, signal }),
  );
  if (data === undefined) return null;
  const more = props.size - data.count;
  const change = more === 0 ? '' : `${more > 0 ? '+' : ''}${format.number(more)}`;
  return <small>{texts.segments.growth.since(change, format.when(data.created_date))}</small>;
};

export const Growth = ({
  segment,
  timeline,
}: {
  readonly segment: Segment;
  readonly timeline: Loaded<Timeline | null>;
}) => {
  const { texts, can } = useApp();
  return (
    <Loading from={timeline} texts={texts}>
      {(found) => {
        if (found === null)
          return can('definitions.write') ? <Track segment={segment} onDone={timeline.reload} /> : null;

        return (
          <>
            {found.moments.length > 1 ? (
              <Chart segment={segment} timeline={found} onDone={timeline.reload} />
            ) : (
              <First timeline={found} onDone={timeline.reload} />
            )}
            {can('people.read') && found.moments.length > 1 && (
              <Changes
                key={found.moments.length}
                timeline={found.id}
                segment={segment.id}
                moments={found.moments}
              />
            )}
          </>
        );
      }}
    </Loading>
  );
};

/** A segment without a timeline. */
const Track = ({ segment, onDone }: { readonly segment: Segment; readonly onDone: () => void }) => {
  const { api, texts } = useApp();
  const words = texts.segments.growth;
  const track = useAction(async () => {
    await api.createTimeline({
      body: {
        reference_tile: segment.id,
        name: nameOf(segment, texts).slice(0, NAME_CHARACTERS),
        schedule: everyDay(),
      },
    });
    onDone();
  });
  const button = (
    <button type="button" class="button small" aria-disabled={track.running} onClick={() => track.run()}>
      {words.track}
    </button>
  );
  return (
    <Panel title={words.title} aside={button} body>
      <p class="muted">{words.none}</p>
      <Problem error={track.problem} texts={texts} />
    </Panel>
  );
};

/** How many moments a chart has at most: the newest. */
const spans = [30, 100, 1_000] as const;

/** A timeline with a moment or none has no chart yet. */
const First = ({ timeline, onDone }: { readonly timeline: Timeline; readonly onDone: () => void }) => {
  const { texts, format } = useApp();
  const words = texts.segments.growth;
  return (
    <Panel title={words.title} body>
      <p class="muted">{words.one(format.when(timeline.next_run))}</p>
      <Add timeline={timeline.id} onDone={onDone} />
    </Panel>
  );
};

/** The button that adds a moment, for who may. */
const Add = ({ timeline, onDone }: { readonly timeline: number; readonly onDone: () => void }) => {
  const { api, texts, can } = useApp();
  const add = useAction(async () => {
    await api.createMoment({ path: { timeline_id: timeline } });
    onDone();
  });
  return (
    <>
      {can('definitions.write') && (
        <button
          type="button"
          class="button plain small"
          aria-disabled={add.running}
          onClick={() => add.run()}
        >
          {texts.segments.growth.add}
        </button>
      )}
      <Problem error={add.problem} texts={texts} />
    </>
  );
};

const Chart = (props: {
  readonly segment: Segment;
  readonly timeline: Timeline;
  readonly onDone: () => void;
}) => {
  const { segment, timeline } = props;
  const { api, texts, format, can } = useApp();
  const words = texts.segments.growth;
  const [limit, setLimit] = useState<number>(spans[0]);
  const { place, width } = useChartWidth();
  const key = `chart ${timeline.id} ${timeline.moments.length} ${limit} ${width}`;
  const chart = useLoad(width === undefined ? undefined : key, async (signal) => {
    const query = { limit, timezone: zone(), ...(width === undefined ? {} : { width }) };
    const answer = await api.response('drawTimelineChart', {
      path: { timeline_id: timeline.id },
      query,
      signal,
    });
    return answer.blob();
  });
  const aside = (
    <select
      class="narrow"
      aria-label={words.span}
      onChange={({ currentTarget: { value } }) =>
        setLimit(spans.find((one) => String(one) === value) ?? spans[0])
      }
    >
      {spans.map((one) => (
        <option key={one} value={one} selected={one === limit}>
          {words.moments(format.number(one))}
        </option>
      ))}
    </select>
  );
  const footer = can('definitions.write') && <Add timeline={timeline.id} onDone={props.onDone} />;
  return (
    <Panel title={words.title} aside={aside} body {...(footer ? { footer } : {})}>
      <div ref={place}>
        <Loading from={chart} texts={texts}>
          {(blob) => <Picture blob={blob} alt={words.alt(nameOf(segment, texts))} />}
        </Loading>
      </div>
    </Panel>
  );
};

/** The width of the chart for a place. It changes with the window, and not with a scroll bar, which a missing chart takes away. */
const useChartWidth = () => {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    const measure = (): void => {
      if (place.current) setWidth(chartWidth(place.current.clientWidth));
    };
    measure();
    addEventListener('resize', measure);
    return () => {
      removeEventListener('resize', measure);
    };
  }, []);
  return { place, width };
};

/** A picture of the service. Its address ends with the picture. */
const Picture = ({ blob, alt }: { readonly blob: Blob; readonly alt: string }) => {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address === undefined ? null : <img class="chart" src={address} alt={alt} />;
};
