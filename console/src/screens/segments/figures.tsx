/** The size of a segment, and how many of its people one can write to. */
import { useApp } from '../../app-context.ts';
import type { Loaded } from '../../load.ts';
import { Problem } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';
import { wordFor } from '../../words.ts';
import type { Catalogue, Segment } from './catalogue.ts';
import { channelsOf } from './channels.ts';
import { useCounts, type Count } from './counts.ts';
import { Figure, usePeopleLink } from './figure.tsx';
import { reachOf } from './reach.tsx';
import { Direction, type Timeline } from './timeline.tsx';

/** Channels of consent that are shown. */
const CHANNELS = 3;

export const Figures = (props: {
  readonly segment: Segment;
  readonly catalogue: Loaded<Catalogue>;
  readonly timeline: Timeline | undefined;
}) => {
  const { segment } = props;
  const { texts, format, can } = useApp();
  const words = texts.segments.page;
  const channels = channelsOf(props.catalogue.data?.segments ?? []).slice(0, CHANNELS);
  const asks = reachOf(segment.id, channels);
  const counting = can('people.read') && props.catalogue.data !== undefined;
  const { counts, problem } = useCounts(counting ? asks : []);
  const size = segment.count ?? 0;
  const linkOf = usePeopleLink();
  const part = (label: string, index: number) => {
    const [ask, count] = [asks[index], counts[index]];
    return (
      <Part
        key={label}
        {...{ label, count, size }}
        link={ask === undefined ? undefined : linkOf(ask, count)}
      />
    );
  };
  return (
    <section class="panel" aria-label={texts.segments.people}>
      <div class="body stack">
        <dl class="figures">
          <div>
            <dt>{texts.segments.people}</dt>
            <dd>
              {format.number(size)}
              <small>
                {can('people.read') && size > 0 ? (
                  <a href={linkTo('segments', [segment.id, 'people'])}>{words.seeThem}</a>
                ) : (
                  texts.segments.exactAsOf(format.clock(segment.as_of))
                )}
              </small>
            </dd>
            {props.timeline && (
              <dd>
                <Direction timeline={props.timeline} size={size} />
              </dd>
            )}
          </div>
          {counting && part(words.withEmail, 0)}
          {counting &&
            channels.map(({ channel }, index) =>
              part(words.withConsent(wordFor(texts, 'channel', channel)), index + 1),
            )}
        </dl>
        <Problem error={problem} texts={texts} />
      </div>
    </section>
  );
};

const Part = (props: {
  readonly label: string;
  readonly count: Count | undefined;
  readonly size: number;
  readonly link: string | undefined;
}) => {
  const { texts, format } = useApp();
  const { count, size, link } = props;
  const { seeThem } = texts.segments.page;
  return (
    <div>
      <dt>
        <bdi>{props.label}</bdi>
      </dt>
      <dd>
        <Figure of={count} />
        <small>
          {count === undefined ? '' : format.percent(count.people, size)}{' '}
          {link !== undefined && (
            <a href={link} aria-label={`${seeThem}: ${props.label}`}>
              {seeThem}
            </a>
          )}
        </small>
      </dd>
    </div>
  );
};
