/** The segment of a rule: chosen from a list, or found by typing its name. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { useAction } from '../../../load.ts';
import type { Texts } from '../../../texts/en.ts';
import { wordFor } from '../../../words.ts';
import type { Sized } from '../catalogue.ts';
import { nameOf } from '../../../segment-name.ts';
import { typeOf, type Chosen, type Rule } from './draft.ts';
import { offeredTypes } from './offered.ts';

/** Names that are offered while one types, the largest segments first. */
const OFFERED = 100;

/** Segments that are offered for a name that none has. */
const MEANT = 3;

interface Props {
  readonly rule: Rule;
  readonly segments: readonly Sized[];
  readonly label: string;
  readonly onChange: (chosen: Chosen | undefined) => void;
}

/** The segment of a rule. There are few of some types: they are in a list. */
export const SegmentField = (props: Props) => {
  const type = typeOf(props.rule, offeredTypes);
  const segments = props.segments.filter((one) =>
    type === undefined ? one.type !== 'moment' : one.type === type,
  );
  return type === 'consent' || type === 'demographic' ? (
    <FromList {...props} segments={segments} />
  ) : (
    <ByName {...props} segments={segments} />
  );
};

const FromList = ({ rule, segments, label, onChange }: Props) => {
  const { texts, format } = useApp();
  const words = texts.segments.builder;
  const chosen = rule.chosen;
  const known = chosen !== undefined && segments.every(({ id }) => id !== chosen.id);
  return (
    <select
      aria-label={label}
      onChange={({ currentTarget: { value } }) =>
        onChange(segments.find(({ id }) => String(id) === value) ?? (known ? chosen : undefined))
      }
    >
      <option value="">{words.choose}</option>
      {known && (
        <option value={chosen.id} selected>
          {nameOf(chosen, texts)}
        </option>
      )}
      {segments.map((segment) => (
        <option key={segment.id} value={segment.id} selected={segment.id === chosen?.id}>
          {words.withPeople(nameOf(segment, texts), format.number(segment.count))}
        </option>
      ))}
    </select>
  );
};

/** The text for a segment among others: its name, and its type where several have this name. */
const shownAs = (segment: Sized, namesakes: ReadonlySet<string>, texts: Texts): string => {
  const name = nameOf(segment, texts);
  return namesakes.has(name) ? `${name} (${wordFor(texts, 'segmentType', segment.type)})` : name;
};

const namesakesIn = (segments: readonly Sized[], texts: Texts): ReadonlySet<string> => {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const segment of segments) {
    const name = nameOf(segment, texts);
    (seen.has(name) ? twice : seen).add(name);
  }
  return twice;
};

/** A segment, and the text that stands for it. */
interface Shown {
  readonly segment: Sized;
  readonly shown: string;
}

const isCalled = ({ shown, segment }: Shown, folded: string): boolean =>
  [shown, segment.name].some((one) => one.toLocaleLowerCase() === folded);

/** The segments whose names have a text, as the page or as the API writes them. */
const offeredFor = (named: readonly Shown[], folded: string): readonly Shown[] =>
  named
    .filter(({ shown, segment }) => `${shown}\n${segment.name}`.toLocaleLowerCase().includes(folded))
    .slice(0, OFFERED);

/** Looks a name up in the service, which has more than the largest segments. The reader may do something else meanwhile. */
const useLookUp = (
  name: string,
  type: ReturnType<typeof typeOf>,
  onAnswer: (found: Chosen | undefined) => void,
) => {
  const { api } = useApp();
  const latest = useRef<{ readonly name: string; readonly onAnswer: typeof onAnswer } | undefined>(undefined);
  latest.current = { name, onAnswer };
  useEffect(
    () => () => {
      latest.current = undefined;
    },
    [],
  );
  return useAction(async () => {
    const [found] = await api.findSegments({ query: { name, ...(type === undefined ? {} : { type }) } });
    if (latest.current?.name === name) latest.current.onAnswer(found);
  });
};

const ByName = ({ rule, segments, label, onChange }: Props) => {
  const { texts, format } = useApp();
  const words = texts.segments.builder;
  const id = useId();
  const [text, setText] = useState(rule.chosen === undefined ? '' : nameOf(rule.chosen, texts));
  const [missing, setMissing] = useState(false);
  const namesakes = namesakesIn(segments, texts);
  const named = segments.map((segment) => ({ segment, shown: shownAs(segment, namesakes, texts) }));
  const folded = text.trim().toLocaleLowerCase();
  const offered = offeredFor(named, folded);
  const look = useLookUp(text.trim(), typeOf(rule, offeredTypes), (found) => {
    setMissing(found === undefined);
    if (found) onChange(found);
  });
  const onInput = (typed: string): void => {
    setText(typed);
    setMissing(false);
    onChange(named.find(({ shown }) => shown === typed.trim())?.segment);
  };
  const onBlur = (): void => {
    if (rule.chosen !== undefined || text.trim() === '') return;
    const alike = named.find((one) => isCalled(one, folded));
    if (alike) onChange(alike.segment);
    else look.run();
  };
  return (
    <div class="typed">
      <input
        type="text"
        aria-label={label}
        list={id}
        value={text}
        autocomplete="off"
        spellcheck={false}
        placeholder={words.typeName}
        aria-invalid={missing}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onBlur={onBlur}
      />
      <datalist id={id}>
        {offered.map(({ segment, shown }) => (
          <option key={segment.id} value={shown} label={words.people(format.number(segment.count))} />
        ))}
      </datalist>
      {missing && (
        <Meant
          of={offered.slice(0, MEANT)}
          onTake={(segment, shown) => {
            setText(shown);
            setMissing(false);
            onChange(segment);
          }}
        />
      )}
    </div>
  );
};

/** That no segment has the name, and those whose names have it in them. */
const Meant = (props: {
  readonly of: readonly Shown[];
  readonly onTake: (segment: Sized, shown: string) => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.builder;
  return (
    <div class="stack small">
      <p class="fault">{words.noSegment}</p>
      {props.of.map(({ segment, shown }) => (
        <button
          key={segment.id}
          type="button"
          class="button small"
          onClick={() => props.onTake(segment, shown)}
        >
          <bdi>{words.withPeople(shown, format.number(segment.count))}</bdi>
        </button>
      ))}
    </div>
  );
};
