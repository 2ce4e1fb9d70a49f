/** One rule: what it is about, how it compares, with what, and how many people it has. */
import type { ComponentChildren } from 'preact';
import { useApp } from '../../../app-context.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { Sized } from '../catalogue.ts';
import type { Count } from '../counts.ts';
import { Figure } from '../figure.tsx';
import { fieldOf, isOfSegment, type Rule } from './draft.ts';
import { kindOf, operatorsFor, takes, type Op } from './operators.ts';
import { SegmentField } from './segment-field.tsx';
import { SubjectSelect } from './subjects.tsx';

/** What the rows of a builder need. */
export interface Surroundings {
  readonly segments: readonly Sized[];
  readonly keys: readonly string[];
  /** The count of each rule by its key. */
  readonly counts: ReadonlyMap<number, Count>;
}

export const RuleRow = (props: {
  readonly rule: Rule;
  /** The number of the rule: 1, or 3.2. */
  readonly place: string;
  readonly around: Surroundings;
  readonly onChange: (rule: Rule | undefined) => void;
}) => {
  const { rule, place, around, onChange } = props;
  const { texts } = useApp();
  const words = texts.segments.builder;
  const count = around.counts.get(rule.key);
  return (
    <li class="line">
      <SubjectSelect rule={rule} keys={around.keys} label={words.what(place)} onChange={onChange} />
      <OperatorSelect rule={rule} label={words.how(place)} onChange={onChange} />
      {isOfSegment(rule) ? (
        <SegmentField
          key={rule.what}
          rule={rule}
          segments={around.segments}
          label={words.value(place)}
          onChange={(chosen) => onChange({ ...rule, chosen })}
        />
      ) : (
        <Values rule={rule} keys={around.keys} place={place} onChange={onChange} />
      )}
      <span class="number">
        <RuleCount count={count} />
      </span>
      <button
        type="button"
        class="button plain square"
        aria-label={words.removeRule(place)}
        onClick={() => onChange(undefined)}
      >
        <Icon name="cross" small />
      </button>
    </li>
  );
};

const RuleCount = ({ count }: { readonly count: Count | undefined }): ComponentChildren => {
  const { texts } = useApp();
  if (count === undefined) return null;
  return (
    <>
      <Figure of={count} /> {texts.segments.builder.peopleWord(count.people)}
    </>
  );
};

const OperatorSelect = (props: {
  readonly rule: Rule;
  readonly label: string;
  readonly onChange: (rule: Rule) => void;
}) => {
  const { texts } = useApp();
  const { rule } = props;
  const words = { ...texts.segments.conditions.operators, ...texts.segments.builder.isIn };
  const ops: readonly Rule['op'][] = isOfSegment(rule) ? ['is', 'is_not'] : operatorsFor(fieldOf(rule));
  return (
    <select
      aria-label={props.label}
      onChange={({ currentTarget: { value } }) => {
        const op = ops.find((one) => one === value);
        if (op !== undefined) props.onChange({ ...rule, op });
      }}
    >
      {ops.map((op) => (
        <option key={op} value={op} selected={op === rule.op}>
          {words[op]}
        </option>
      ))}
    </select>
  );
};

const attributes = {
  text: { type: 'text' },
  number: { type: 'number', step: 'any' },
  date: { type: 'date' },
} as const;

/** How many values an operator has, and how they are typed. */
const inputsOf = (rule: Rule, op: Op): readonly ('text' | 'number' | 'date')[] => {
  switch (takes(op)) {
    case 'nothing':
      return [];
    case 'number':
    case 'days':
      return ['number'];
    case 'day':
      return ['date'];
    case 'two': {
      const kind = kindOf(fieldOf(rule));
      if (kind === 'own') return ['text', 'text'];
      return kind === 'age' ? ['number', 'number'] : ['date', 'date'];
    }
    case 'value':
    case 'list':
    case 'text':
      return ['text'];
  }
};

const Values = (props: {
  readonly rule: Rule;
  readonly keys: readonly string[];
  readonly place: string;
  readonly onChange: (rule: Rule) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { rule, place, onChange } = props;
  if (rule.op === 'is' || rule.op === 'is_not') return null;
  const inputs = inputsOf(rule, rule.op);
  const isDays = takes(rule.op) === 'days';
  const isNamed = rule.what === 'tag:' || (rule.what === 'own:' && !props.keys.includes(rule.name));
  const hint = takes(rule.op) === 'list' ? words.listHint : '';
  return (
    <div class="typed">
      {isNamed && (
        <input
          type="text"
          aria-label={words.nameOf(place)}
          placeholder={rule.what === 'tag:' ? words.tagName : words.columnName}
          value={rule.name}
          onInput={({ currentTarget }) => onChange({ ...rule, name: currentTarget.value })}
        />
      )}
      {inputs.map((type, index) => (
        <span key={index} class="row nowrap">
          <input
            {...attributes[type]}
            aria-label={inputs.length > 1 ? words.valueOf(place, String(index + 1)) : words.value(place)}
            placeholder={hint}
            value={rule.typed[index] ?? ''}
            onInput={({ currentTarget }) =>
              onChange({ ...rule, typed: replaced(rule.typed, index, currentTarget.value) })
            }
          />
          {isDays && <span class="small muted">{words.days}</span>}
        </span>
      ))}
    </div>
  );
};

/** The typed values, one of them anew. */
const replaced = (typed: readonly string[], at: number, text: string): readonly string[] =>
  [0, 1].map((index) => (index === at ? text : (typed[index] ?? '')));
