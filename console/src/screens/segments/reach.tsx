/** How many people of a definition one can write to: each line is an intersection of its own. */
import { useApp } from '../../app-context.ts';
import { Problem } from '../../parts/notice.tsx';
import { wordFor } from '../../words.ts';
import { reachable, type Channel } from './channels.ts';
import { useCounts, type Count } from './counts.ts';
import type { Definition } from './definition.ts';
import { Figure, Origin } from './figure.tsx';

/** Channels of consent that are shown. */
const CHANNELS = 3;

/** What of a definition is counted: with an e-mail address, and with address and consent on each channel. */
export const reachOf = (definition: Definition, channels: readonly Channel[]): readonly Definition[] => [
  { all: [definition, { where: { field: 'email', op: 'exists' } }] },
  ...channels.slice(0, CHANNELS).map((one) => reachable(definition, one)),
];

/** The lines of the funnel, from the whole to those who have given consent. */
export const Reach = (props: {
  readonly definition: Definition;
  readonly total: Count | undefined;
  readonly channels: readonly Channel[];
  readonly delayMs: number;
}) => {
  const { texts } = useApp();
  const words = texts.segments;
  const { definition, total, channels } = props;
  const { counts, problem } = useCounts(reachOf(definition, channels), props.delayMs);
  const [email, ...consents] = counts;
  return (
    <>
      <h3>{words.builder.reach}</h3>
      <ul class="funnel">
        <Line label={words.builder.inSegment} count={total} total={undefined} />
        <Line label={words.page.withEmail} count={email} total={total} />
        {channels.slice(0, CHANNELS).map(({ channel }, index) => (
          <Line
            key={channel}
            label={words.page.withConsent(wordFor(texts, 'channel', channel))}
            count={consents[index]}
            total={total}
          />
        ))}
      </ul>
      {channels.length === 0 && <p class="small muted">{words.download.noChannel}</p>}
      <Problem error={problem} texts={texts} />
    </>
  );
};

const Line = (props: {
  readonly label: string;
  readonly count: Count | undefined;
  readonly total: Count | undefined;
}) => {
  const { format } = useApp();
  const { count, total } = props;
  const whole = total?.people ?? count?.people ?? 0;
  const share = count === undefined || whole === 0 ? 0 : Math.min(100, (100 * count.people) / whole);
  return (
    <li>
      <bdi>{props.label}</bdi>
      <span class="muted">{count && total ? format.percent(count.people, total.people) : ''}</span>
      <b class="number">
        <Figure of={count} />
      </b>
      <span class="track">{count !== undefined && <i style={{ '--share': share }} />}</span>
      {count?.read !== undefined && (
        <small class="muted">
          <Origin of={count} />
        </small>
      )}
    </li>
  );
};
