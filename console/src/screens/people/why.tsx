/** The drawer that says why a person is in a segment, or why not. */
import type { ComponentChildren } from 'preact';
import { useApp } from '../../app-context.ts';
import { BUSY_MS, useLoad } from '../../load.ts';
import { Drawer } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Loading } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { useSourceNames, type SourceName } from '../../sources.ts';
import { wordFor } from '../../words.ts';
import { nameOf as segmentName } from '../../segment-name.ts';
import { EVERY_USE, isoOf, type Known } from './known.ts';
import { ruleOf, sourcesIn, type Evidence, type Membership, type Rule } from './rules.ts';
import { Source, Stored, Trust } from './text.tsx';

/** Rules below this level are closed at first. */
const OPEN_LEVELS = 2;

export const WhyDrawer = (props: {
  readonly uuid: string;
  readonly segment: string;
  /** What the person said about being written to, if it is known here. */
  readonly consent?: Known['consent'];
  /** Whether the person was in the segment at a moment that the reader looks at. */
  readonly wasIn?: boolean;
  readonly onClose: () => void;
}) => {
  const { api, texts } = useApp();
  const { uuid, segment } = props;
  const words = texts.people.why;
  const why = useLoad(
    `${uuid}/${segment}`,
    (signal) => api.explainMembership({ path: { segment_id: segment, profile_uuid: uuid }, signal }),
    ({ pending }) => (pending ? BUSY_MS : undefined),
  );
  const { data } = why;
  const title = data?.member === false ? words.titleOfNo : words.title;
  const line = data && (
    <a href={linkTo('segments', [data.segment.id])}>
      <bdi>{segmentName(data.segment, texts)}</bdi>
    </a>
  );
  return (
    <Drawer title={title} line={line} close={texts.parts.close} onClose={props.onClose}>
      {props.wasIn === true && data?.member === false && <Notice>{words.wasIn}</Notice>}
      <Loading from={why} texts={texts}>
        {(membership) => <Explanation membership={membership} />}
      </Loading>
      <Consents of={props.consent} />
    </Drawer>
  );
};

/** What the person said about being written to: who asks why somebody got a letter asks for this, too. */
const Consents = ({ of: statements = [] }: { readonly of: Known['consent'] }) => {
  const { texts, format } = useApp();
  const said = statements.filter(({ channel }) => channel !== EVERY_USE);
  return said.length === 0 ? null : (
    <section>
      <h3>{texts.people.consent}</h3>
      <dl class="facts small">
        {said.map(({ channel, state, datetime }) => (
          <Fact key={channel} name={wordFor(texts, 'channel', channel)}>
            {texts.words.consent[state]}
            {datetime !== null && `, ${format.when(datetime)}`}
          </Fact>
        ))}
      </dl>
    </section>
  );
};

const Explanation = ({ membership }: { readonly membership: Membership }) => {
  const { texts } = useApp();
  const words = texts.people.why;
  const rule = ruleOf(membership.why);
  const nameOf = useSourceNames(sourcesIn(rule));
  const isGroup = rule.parts.length > 0;
  const rules = isGroup ? rule.parts : [rule];
  return (
    <>
      {membership.pending && <Notice>{words.pending}</Notice>}
      {isGroup && <p>{words.ofGroup(rule.joined, rule.holds, rules.length)}</p>}
      <Rules of={rules} level={1} nameOf={nameOf} />
    </>
  );
};

const Rules = (props: {
  readonly of: readonly Rule[];
  readonly level: number;
  readonly nameOf: SourceName;
}) => (
  <ol class="why">
    {props.of.map((rule, index) => (
      <RuleItem key={index} rule={rule} level={props.level} nameOf={props.nameOf} />
    ))}
  </ol>
);

const RuleItem = (props: { readonly rule: Rule; readonly level: number; readonly nameOf: SourceName }) => {
  const { texts } = useApp();
  const { rule, level, nameOf } = props;
  const words = texts.people.why;
  const parts = rule.parts.length > 0 && (
    <>
      {rule.segment !== undefined && <p class="small muted">{words.joined[rule.joined]}</p>}
      <Rules of={rule.parts} level={level + 1} nameOf={nameOf} />
    </>
  );
  const content = parts || <Facts rule={rule} nameOf={nameOf} />;
  return (
    <li class={rule.decides ? '' : 'aside'}>
      <Icon name={rule.holds ? 'tick' : 'cross'} />
      {level > OPEN_LEVELS ? (
        <details>
          <summary>
            <RuleTitle rule={rule} />
          </summary>
          {content}
        </details>
      ) : (
        <div>
          <RuleTitle rule={rule} />
          {content}
        </div>
      )}
    </li>
  );
};

const RuleTitle = ({ rule }: { readonly rule: Rule }) => {
  const { texts } = useApp();
  const words = texts.people.why;
  const { segment, negated, joined, holds, decides } = rule;
  return (
    <b>
      <span class="unseen">{holds ? words.holds : words.holdsNot} </span>
      {segment === undefined ? (
        words.group[negated ? 'not' : 'yes'][joined]
      ) : (
        <>
          {negated && `${words.not} `}
          <bdi>{segmentName({ ...segment, name: segment.name ?? '–' }, texts)}</bdi>
        </>
      )}
      {!decides && <span class="second">{words.aside}</span>}
    </b>
  );
};

const Facts = ({ rule, nameOf }: { readonly rule: Rule; readonly nameOf: SourceName }) => {
  const { texts, format } = useApp();
  const words = texts.people.why;
  const { because, instead, segment, takenAt } = rule;
  if (takenAt !== undefined) return <p class="small muted">{words.taken(format.when(takenAt))}</p>;
  if (segment?.type === 'everyone') return null;
  const values = because.length > 0 ? because : instead;
  if (values.length === 0) return <p class="small muted">{words.nothing}</p>;
  return (
    <>
      {because.length === 0 && <p class="small muted">{words.instead}</p>}
      {values.map((value, index) => (
        <EvidenceFacts key={index} of={value} isCondition={segment?.type === 'condition'} nameOf={nameOf} />
      ))}
    </>
  );
};

const Fact = (props: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>
      <bdi>{props.name}</bdi>
    </dt>
    <dd>{props.children}</dd>
  </>
);

const OWN = 'extra_data.';

const EvidenceFacts = (props: {
  readonly of: Evidence;
  readonly isCondition: boolean;
  readonly nameOf: SourceName;
}) => {
  const { texts, format } = useApp();
  const { of: value, isCondition, nameOf } = props;
  const words = texts.people.why;
  const [, channel] = /^consent\.(.*)$/su.exec(value.field) ?? [];
  const own = value.field.startsWith(OWN) ? value.field.slice(OWN.length) : undefined;
  const name =
    channel === undefined ? (own ?? wordFor(texts, 'field', value.field)) : texts.words.field.consent;
  const consent = channel === undefined ? undefined : String(value.value);
  const [time, since] = [value.datetime, value.stamp].map((one) => one && format.when(isoOf(one)));
  return (
    <dl class="facts small">
      <Fact name={name}>
        {consent === undefined ? (
          <Stored field={value.field} value={value.value} />
        ) : (
          wordFor(texts, 'consent', consent)
        )}
        {value.age !== undefined && value.field !== 'age' && words.age(value.age)}
      </Fact>
      {time && <Fact name={words.time}>{time}</Fact>}
      <Fact name={words.source}>
        <Source of={value} nameOf={nameOf} />
      </Fact>
      <Fact name={words.trust}>
        <Trust tier={value.tier} />
      </Fact>
      {since !== time && <Fact name={words.since}>{since}</Fact>}
      {typeof value.until === 'string' && (
        <Fact name={isCondition ? words.until : words.changes}>{format.day(value.until)}</Fact>
      )}
    </dl>
  );
};
