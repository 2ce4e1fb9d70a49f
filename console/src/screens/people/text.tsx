/** Texts of people: whatever they are, they are shown as text, apart from the direction of what is around them. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { linkTo } from '../../route.ts';
import type { SourceName } from '../../sources.ts';
import { wordFor } from '../../words.ts';
import type { Value } from './known.ts';

/** Characters that a value shows before the reader asks for the rest. */
const AT_FIRST = 1_200;

/** A text of a person. A very long one shows its beginning, and says how much follows. */
export const Words = ({ text }: { readonly text: string }) => {
  const { texts, format } = useApp();
  const [whole, setWhole] = useState(false);
  const rest = text.length - AT_FIRST;
  if (whole || rest <= 0) return <bdi>{text}</bdi>;
  return (
    <>
      <bdi>{text.slice(0, AT_FIRST)}</bdi>{' '}
      <button type="button" class="button plain small" onClick={() => setWhole(true)}>
        {texts.people.characters(format.number(rest))}
      </button>
    </>
  );
};

/** A value as text: lists with commas, yes and no in the reader's language. */
const textOf = (value: Value['value'], yes: string, no: string): string => {
  if (typeof value === 'object' && value !== null) return value.map((one) => textOf(one, yes, no)).join(', ');
  if (value === true || value === 'Yes') return yes;
  return value === false || value === 'No' ? no : String(value ?? '–');
};

/** A day, and a number with decimals, as files have them. */
const [DAY, FRACTION] = [/^\d{4}-\d\d-\d\d$/, /^-?\d{1,12}\.\d{1,6}$/];

/** A stored value. Birthdays are dates in the reader's language; what readers sent under names of their own stays as sent. */
export const Stored = ({ field, value }: { readonly field: string; readonly value: Value['value'] }) => {
  const { texts, format } = useApp();
  if (value === null) return <span class="muted">{texts.people.erased}</span>;
  const text = String(value);
  if (field === 'country') return <>{texts.segments.country(text)}</>;
  const read = DAY.test(text) ? format.day(text) : FRACTION.test(text) && format.decimal(Number(text));
  if (read !== false) return <span title={text}>{read}</span>;
  return <Words text={textOf(value, texts.words.yes, texts.words.no)} />;
};

/** Where a value came from, with a link to the job of an import. */
export const Source = (props: {
  readonly of: Pick<Value, 'source' | 'job'>;
  readonly nameOf: SourceName;
}) => {
  const { can } = useApp();
  const { source, job } = props.of;
  const name = <bdi>{props.nameOf(source)}</bdi>;
  const [, definition] = source.split(':');
  return job === null || definition === undefined || !can('people.write') ? (
    name
  ) : (
    <a href={linkTo('import', [definition, job])}>{name}</a>
  );
};

/** The trust in a source. */
export const Trust = ({ tier }: Pick<Value, 'tier'>) => {
  const { texts } = useApp();
  return <>{wordFor(texts, 'tier', tier)}</>;
};

/** The head of a table of values with their sources; `first` is the word of its first column. */
export const SourcedHead = ({ first }: { readonly first: string }) => {
  const words = useApp().texts.people;
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{words.value}</th>
        <th scope="col">{words.sourceAndTrust}</th>
        <th scope="col" class="number">
          {words.since}
        </th>
      </tr>
    </thead>
  );
};
