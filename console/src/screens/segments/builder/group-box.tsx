/** A group of rules: all, any or none of them hold. */
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { Icon } from '../../../parts/icon.tsx';
import { matches, newGroup, newRule, placeOf, type Group, type Part } from './draft.ts';
import { RuleRow, type Surroundings } from './rule-row.tsx';

/** Groups below the first one. The service takes deeper ones; nobody reads them. */
const DEEPEST = 3;

interface GroupProps {
  readonly group: Group;
  /** The number of the group; empty for the outermost one. */
  readonly place: string;
  readonly depth: number;
  readonly around: Surroundings;
  readonly onChange: (group: Group | undefined) => void;
}

export const GroupBox = (props: GroupProps) => {
  const { group, place, depth, onChange } = props;
  const { texts } = useApp();
  const words = texts.segments.builder;
  const replace = (key: number, part: Part | undefined): void =>
    onChange({ ...group, of: group.of.flatMap((one) => (one.key === key ? (part ?? []) : one)) });
  const add = (part: Part): void => onChange({ ...group, of: [...group.of, part] });
  return (
    <section class="rule" aria-label={place === '' ? words.rules : words.group(place)}>
      <header>
        <MatchSelect group={group} place={place} onChange={onChange} />
        {words.hold}
        {depth > 0 && (
          <button
            type="button"
            class="button plain square end"
            aria-label={words.removeGroup(place)}
            onClick={() => onChange(undefined)}
          >
            <Icon name="cross" small />
          </button>
        )}
      </header>
      <Parts {...props} onReplace={replace} />
      <div class="add row">
        <button type="button" class="button plain small" onClick={() => add(newRule())}>
          <Icon name="plus" small />
          {words.rule}
        </button>
        {depth < DEEPEST && (
          <button type="button" class="button plain small" onClick={() => add(newGroup('any'))}>
            <Icon name="plus" small />
            {words.groupWord}
          </button>
        )}
      </div>
    </section>
  );
};

/** The rules and groups of a group. */
const Parts = (props: GroupProps & { readonly onReplace: (key: number, part: Part | undefined) => void }) => {
  const { group, place, depth, around, onReplace } = props;
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(group.of.length);
  // Who adds a rule goes on with it.
  useEffect(() => {
    if (group.of.length > before.current) list.current?.lastElementChild?.querySelector('select')?.focus();
    before.current = group.of.length;
  }, [group.of.length]);
  return (
    <ul ref={list}>
      {group.of.map((part, index) => {
        const own = placeOf(place, index);
        return part.kind === 'rule' ? (
          <RuleRow
            key={part.key}
            rule={part}
            place={own}
            around={around}
            onChange={(next) => onReplace(part.key, next)}
          />
        ) : (
          <li key={part.key}>
            <GroupBox
              group={part}
              place={own}
              depth={depth + 1}
              around={around}
              onChange={(next) => onReplace(part.key, next)}
            />
          </li>
        );
      })}
    </ul>
  );
};

const MatchSelect = (props: {
  readonly group: Group;
  readonly place: string;
  readonly onChange: (group: Group) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  return (
    <select
      aria-label={words.match(props.place)}
      onChange={({ currentTarget: { value } }) => {
        const match = matches.find((one) => one === value);
        if (match !== undefined) props.onChange({ ...props.group, match });
      }}
    >
      {matches.map((match) => (
        <option key={match} value={match} selected={match === props.group.match}>
          {words.matches[match]}
        </option>
      ))}
    </select>
  );
};
