/** Who the people of a definition are: how many of them are in the largest segments of a type. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { Problem } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { Sized } from './catalogue.ts';
import { useCounts, type Count } from './counts.ts';
import type { Definition } from './definition.ts';
import { Figure, usePeopleLink } from './figure.tsx';
import { Name } from './name.tsx';
import { nameOf } from '../../segment-name.ts';

/** By what people are told apart. */
const kinds = ['age', 'place', 'source', 'tag'] as const;
export type Kind = (typeof kinds)[number];

/** Whether a person is in one segment of the kind at most. */
const isExclusive = (kind: Kind): kind is 'age' | 'place' => kind === 'age' || kind === 'place';

const AGE = 'Age: ';
/** Segments of a kind that are counted: each is a preview. */
const LARGEST = 6;

/** The places of which none lies in another: cities where cities are known. */
const innermost = (places: readonly Sized[]): readonly Sized[] => {
  const around = new Set(places.flatMap(({ name }) => enclosing(name)));
  return places.filter(({ name }) => !around.has(name));
};

/** The places around a place: TX, US and US around Austin, TX, US. */
const enclosing = (name: string): readonly string[] => {
  const parts = name.split(', ');
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join(', '));
};

/** The segments of a kind that are compared: all bands of age, and the largest of the others. */
const segmentsOf = (kind: Kind, segments: readonly Sized[]): readonly Sized[] => {
  if (kind === 'age') {
    return segments
      .filter(({ type, name }) => type === 'demographic' && name.startsWith(AGE))
      .toSorted((one, other) => one.name.localeCompare(other.name));
  }
  if (kind === 'place')
    return innermost(segments.filter(({ type }) => type === 'location')).slice(0, LARGEST);
  return segments.filter(({ type }) => type === kind).slice(0, LARGEST);
};

export const Breakdown = (props: {
  readonly definition: Definition;
  readonly total: Count | undefined;
  readonly segments: readonly Sized[];
  /** Those that are counted without being asked for. */
  readonly first: readonly Kind[];
  readonly delayMs: number;
  /** Whether each number leads to its people. */
  readonly linked?: boolean;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { segments, first } = props;
  const [asked, setAsked] = useState<readonly Kind[]>([]);
  // People of one age are of no other, and those of one place are at no other.
  const tells = (kind: Kind): boolean => {
    const found = segmentsOf(kind, segments);
    return found.length > 0 && (!isExclusive(kind) || found.every(({ id }) => id !== props.definition));
  };
  const there = kinds.filter(tells);
  const shown = there.filter((kind) => first.includes(kind) || asked.includes(kind));
  const rest = there.filter((kind) => !shown.includes(kind));
  if (there.length === 0) return null;
  const footer = rest.map((kind) => (
    <button key={kind} type="button" class="button plain small" onClick={() => setAsked([...asked, kind])}>
      {words.by[kind]}
    </button>
  ));
  return (
    <Panel title={words.who} body {...(rest.length > 0 ? { footer } : {})}>
      <div class="kinds">
        {shown.map((kind) => (
          <Shares key={kind} {...props} kind={kind} />
        ))}
      </div>
      {shown.length === 0 && <p class="small muted">{words.whoLine}</p>}
    </Panel>
  );
};

const Shares = (props: {
  readonly kind: Kind;
  readonly definition: Definition;
  readonly total: Count | undefined;
  readonly segments: readonly Sized[];
  readonly delayMs: number;
  readonly linked?: boolean;
}) => {
  const { kind, definition, total } = props;
  const linkOf = usePeopleLink();
  const { texts, format } = useApp();
  const words = texts.segments.builder;
  const segments = segmentsOf(kind, props.segments);
  const { counts, problem } = useCounts(
    segments.map((one): Definition => ({ all: [definition, one.id] })),
    props.delayMs,
  );
  const exclusive = isExclusive(kind) ? kind : undefined;
  const rest = exclusive && restOf(total, counts, segments.length);
  const largest = Math.max(1, rest ?? 0, ...counts.map((count) => count?.people ?? 0));
  const counted = segments.map((segment, index) => ({ segment, count: counts[index] }));
  // All ages are shown, in their order. What has nobody here says nothing elsewhere.
  const rows =
    kind === 'age' || counts.length < segments.length
      ? counted
      : counted
          .filter(({ count }) => count?.people !== 0)
          .toSorted((one, other) => (other.count?.people ?? 0) - (one.count?.people ?? 0));
  return (
    <div class="stack">
      <h3>{words.by[kind]}</h3>
      <ul class="shares">
        {rows.map(({ segment, count }) => (
          <li key={segment.id}>
            {kind === 'age' ? (
              segment.name.slice(AGE.length).replace('-', '–')
            ) : (
              <Name of={segment} texts={texts} />
            )}
            <Bar share={(100 * (count?.people ?? 0)) / largest} />
            <span class="number">
              <People
                of={count}
                name={nameOf(segment, texts)}
                link={props.linked === true ? linkOf({ all: [definition, segment.id] }, count) : undefined}
              />
            </span>
          </li>
        ))}
        {exclusive && rest !== undefined && rest > 0 && (
          <li class="rest">
            {words.rest[exclusive]}
            <Bar share={(100 * rest) / largest} />
            <span class="number">{format.number(rest)}</span>
          </li>
        )}
      </ul>
      <Problem error={problem} texts={texts} />
    </div>
  );
};

/** A number of people, which leads to them. */
const People = (props: {
  readonly of: Count | undefined;
  readonly name: string;
  readonly link: string | undefined;
}) => {
  const { texts, format } = useApp();
  const { of, link } = props;
  const figure = <Figure of={of} />;
  if (of === undefined || link === undefined) return figure;
  return (
    <a href={link} aria-label={texts.segments.builder.withPeople(props.name, format.number(of.people))}>
      {figure}
    </a>
  );
};

/** A bar of so many per cent. Nobody has no bar. */
const Bar = ({ share }: { readonly share: number }) =>
  share === 0 ? <span /> : <i style={{ '--share': share }} />;

/** Those in none of the segments, once all is counted exactly. */
const restOf = (
  total: Count | undefined,
  counts: readonly (Count | undefined)[],
  segments: number,
): number | undefined => {
  const exact = [total, ...counts].flatMap((count) =>
    count?.read === undefined && count ? [count.people] : [],
  );
  const [whole = 0, ...parts] = exact;
  return parts.length === segments ? whole - parts.reduce((sum, part) => sum + part, 0) : undefined;
};
