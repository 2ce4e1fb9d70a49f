/** The panels about consent and identities, and what belongs to no field: tags, labels and liked pages. */
import type { ComponentChildren } from 'preact';
import { useApp } from '../../app-context.ts';
import { useFew } from '../../parts/few.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { SourceName } from '../../sources.ts';
import { isolated, wordFor } from '../../words.ts';
import { EVERY_USE, identitiesOf, isoOf, provenanceOf, type Known } from './known.ts';
import { removedTags, tagRows } from './rows.ts';
import { Source, SourcedHead, Trust, Words } from './text.tsx';

/** Whether we may write to this person. */
export const ConsentPanel = (props: {
  readonly known: Known;
  readonly nameOf: SourceName;
  /** What a reader may do about it. */
  readonly children: ComponentChildren;
}) => {
  const { known, nameOf, children } = props;
  const { texts, format } = useApp();
  const words = texts.people;
  const said = provenanceOf(known).consent.filter(({ won }) => won);
  const channels = (known.consent ?? []).filter(({ channel }) => channel !== EVERY_USE);
  return (
    <Panel
      title={words.consent}
      body={channels.length === 0}
      {...(children === false ? {} : { footer: children })}
    >
      {channels.length === 0 && <p class="muted">{words.noConsent}</p>}
      {channels.length > 0 && (
        <table>
          <thead class="unseen">
            <tr>
              <th scope="col">{words.channel}</th>
              <th scope="col">{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {channels.map(({ channel, state, datetime, source }) => {
              const origin = said.find((one) => one.channel === channel && one.state === state);
              return (
                <tr key={channel}>
                  <th scope="row">
                    <bdi>{wordFor(texts, 'channel', channel)}</bdi>
                    <span class="second">
                      {source !== null && <Words text={source} />}
                      {source === null && origin && <Source of={origin} nameOf={nameOf} />}
                      {(source !== null || origin) && ', '}
                      {datetime === null ? words.noDate : format.when(datetime)}
                    </span>
                  </th>
                  <td class="number">
                    <span class={state === 'given' ? 'state good' : 'state'}>
                      <Icon name={state === 'given' ? 'tick' : 'cross'} small />
                      {texts.words.consent[state]}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Panel>
  );
};

/** Every identity that finds the person. */
export const IdentitiesPanel = (props: { readonly known: Known; readonly nameOf: SourceName }) => {
  const { texts, format } = useApp();
  const words = texts.people;
  const identities = identitiesOf(props.known);
  const { shown, more } = useFew(identities.length);
  if (identities.length === 0) return null;
  return (
    <Panel
      title={words.identities}
      aside={<span class="muted">{format.number(identities.length)}</span>}
      {...(more === undefined ? {} : { footer: more })}
    >
      <table class="cards">
        <SourcedHead first={words.kind} />
        <tbody>
          {identities.slice(0, shown).map((identity) => (
            <tr key={`${identity.field}:${identity.text}`}>
              <th scope="row" class="name">
                {wordFor(texts, 'field', identity.field)}
              </th>
              <td class="whole value">
                <Words text={identity.text} />
              </td>
              <td class="whole small">
                <Source of={identity} nameOf={props.nameOf} />
                <span class="second">
                  <Trust tier={identity.tier} />
                </span>
              </td>
              <td class="number small muted">{format.when(identity.stamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};

/** Tags that are shown at first. */
const TAGS = 30;

/** Tags, labels and liked pages; nothing if the person has none. */
export const SetsPanel = (props: { readonly known: Known; readonly nameOf: SourceName }) => {
  const { known, nameOf } = props;
  const { texts, format } = useApp();
  const words = texts.people;
  const tags = tagRows(known).map(({ tag, last, times }) => ({
    text: tag,
    second: times > 1 ? words.times(format.number(times), format.day(isoOf(last))) : format.day(isoOf(last)),
  }));
  const removed = removedTags(known).map(({ tag, source, stamp }) => ({
    text: tag,
    second: `${isolated(nameOf(source))}, ${format.when(stamp)}`,
  }));
  const labels = (known.sources ?? []).map((text) => ({ text, second: '' }));
  const likes = (known.social_likes ?? []).map(({ id }) => ({ text: id, second: '' }));
  return (
    <>
      <Marks title={words.tags} marks={tags} />
      <Marks title={words.removedTags} marks={removed} />
      <Marks title={words.labels} marks={labels} />
      <Marks title={words.likes} marks={likes} />
    </>
  );
};

const Marks = (props: {
  readonly title: string;
  readonly marks: readonly { readonly text: string; readonly second: string }[];
}) => {
  const { format } = useApp();
  const { marks } = props;
  const { shown, more } = useFew(marks.length, TAGS);
  if (marks.length === 0) return null;
  return (
    <Panel
      title={props.title}
      aside={<span class="muted">{format.number(marks.length)}</span>}
      body
      {...(more === undefined ? {} : { footer: more })}
    >
      <ul class="row tight">
        {marks.slice(0, shown).map(({ text, second }) => (
          <li key={text} class="tag">
            <bdi>{text}</bdi>
            {second !== '' && <span class="muted">{second}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
};
