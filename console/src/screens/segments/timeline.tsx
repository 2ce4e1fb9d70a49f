/** How a segment grew: the chart of its timeline, and who came and left between two of its moments. */
import { useEffect, useState } from 'preact/hooks';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Item } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { useAction, useLoad } from '../../load.ts';
import { Problem } from '../../parts/notice.tsx';
import { Loading, Panel } from '../../parts/panel.tsx';
import type { Segment } from './catalogue.ts';
import { Changes } from './changes.tsx';
import { nameOf } from './name.tsx';

/** A timeline with its newest moments, the oldest of these first. */
type Timeline = Item<'listTimelines'>;

/** Timelines that are looked through for one of the segment. */
const LOOKED_AT = 1_000;
/** The hour at which a new timeline counts each day, in the zone of the reader. */
const HOUR = '6';

/** The zone of the reader. */
const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The first timeline that tracks a segment; `null` if there is none. Throws as a call does. */
const timelineOf = async (api: Tidemark, segment: number, signal: AbortSignal): Promise<Timeline | null> => {
  let seen = 0;
  for await (const timeline of api.listTimelines({ signal })) {
    if (timeline.reference_tile === segment) return timeline;
    seen += 1;
    if (seen === LOOKED_AT) break;
  }
  return null;
};

export const Growth = ({ segment }: { readonly segment: Segment }) => {
  const { api, texts, can } = useApp();
  const timeline = useLoad(`timeline ${segment.id}`, (signal) => timelineOf(api, segment.id, signal));
  return (
    <Loading from={timeline} texts={texts}>
      {(found) => {
        if (found === null)
          return can('definitions.write') ? <Track segment={segment} onDone={timeline.reload} /> : null;

        return (
          <>
            <Chart segment={segment} timeline={found} onDone={timeline.reload} />
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
        name: nameOf(segment, texts).slice(0, 255),
        schedule: { minute: '0', hour: HOUR, timezone: zone() },
      },
    });
    onDone();
  });
  const button = (
    <button type="button" class="button small" disabled={track.running} onClick={() => track.run()}>
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

/** The narrow chart has letters that can be read on a phone. */
const isNarrow = (): boolean => matchMedia('(width <= 860px)').matches;
const NARROW = 340;

const Chart = (props: {
  readonly segment: Segment;
  readonly timeline: Timeline;
  readonly onDone: () => void;
}) => {
  const { segment, timeline } = props;
  const { api, texts, format, can } = useApp();
  const words = texts.segments.growth;
  const [limit, setLimit] = useState<number>(spans[0]);
  const chart = useLoad(`chart ${timeline.id} ${timeline.moments.length} ${limit}`, async (signal) => {
    const query = { limit, timezone: zone(), ...(isNarrow() ? { width: NARROW } : {}) };
    const answer = await api.response('drawTimelineChart', {
      path: { timeline_id: timeline.id },
      query,
      signal,
    });
    return answer.blob();
  });
  const add = useAction(async () => {
    await api.createMoment({ path: { timeline_id: timeline.id } });
    props.onDone();
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
  const footer = can('definitions.write') && (
    <button type="button" class="button plain small" disabled={add.running} onClick={() => add.run()}>
      {words.add}
    </button>
  );
  return (
    <Panel title={words.title} aside={aside} body {...(footer ? { footer } : {})}>
      <Loading from={chart} texts={texts}>
        {(blob) => <Picture blob={blob} alt={words.alt(nameOf(segment, texts))} />}
      </Loading>
      <Problem error={add.problem} texts={texts} />
    </Panel>
  );
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
