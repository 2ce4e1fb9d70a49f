/** The rules of a segment while one builds it: groups of rules and groups. Plain values; the screen draws them. */
import type { Named, SegmentType } from '../catalogue.ts';
import type { Definition, StoredDefinition } from '../definition.ts';
import { OWN, type Where } from '../where-words.ts';
import { fields, offeredTypes } from './offered.ts';
import { isSame, operatorsFor, takes, typedOf, whereOf, type Op } from './operators.ts';

/** A segment that a rule names. */
export interface Chosen extends Named {
  readonly id: number;
}

/** How the rules of a group combine. */
export const matches = ['all', 'any', 'none'] as const;
export type Match = (typeof matches)[number];

/**
 * What a rule is about: `segment:` and a type (nothing for any segment), `field:` and a name of the API, `own:` for a key of the
 * extra data, or `tag:` for the time of a tag. The name of the key or of the tag is in `name`.
 */
export type What = `segment:${SegmentType | ''}` | `field:${string}` | 'own:' | 'tag:';

/** A rule. `op` is an operator, or whether a person is in the segment. */
export interface Rule {
  readonly kind: 'rule';
  readonly key: number;
  readonly what: What;
  readonly name: string;
  readonly op: Op | 'is' | 'is_not';
  /** What is typed behind the operator. */
  readonly typed: readonly string[];
  /** The segment that the rule names. Of a condition, the stored segment from which the reader began, if there is one. */
  readonly chosen: Chosen | undefined;
}

/** A group of rules and groups. */
export interface Group {
  readonly kind: 'group';
  readonly key: number;
  readonly match: Match;
  readonly of: readonly Part[];
}

export type Part = Rule | Group;

/** Begins at the time, so that no key is one of a draft that an earlier page of the tab has kept. */
let keys = Date.now();
const nextKey = (): number => (keys += 1);

/** What a reader builds. */
export interface Draft {
  readonly name: string;
  readonly group: Group;
  /** Under this key the service makes one segment of the draft, however often a save is repeated. */
  readonly key?: string;
  /** Whether the reader has pressed the button that saves it, and the save has not ended. */
  readonly saving?: boolean;
}

/** Whether something that the tab has kept is a draft: only this page writes there. */
export const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'name' in value && 'group' in value;

/** A new rule about something. */
export const newRule = (what: What = 'segment:tag', key = nextKey()): Rule => {
  const base = { kind: 'rule', key, what, name: '', typed: ['', ''], chosen: undefined } as const;
  const rule: Rule = { ...base, op: 'is' };
  return isOfSegment(rule) ? rule : { ...rule, op: operatorsFor(fieldOf(rule))[0] ?? 'exists' };
};

/** A new group with one rule. */
export const newGroup = (match: Match = 'all', of: readonly Part[] = [newRule()]): Group => ({
  kind: 'group',
  key: nextKey(),
  match,
  of,
});

/** Whether a rule names a segment. The others are conditions. */
export const isOfSegment = ({ what }: Pick<Rule, 'what'>): boolean => what.startsWith('segment:');

/** The type of the segments of a rule; `undefined` for any. */
export const typeOf = ({ what }: Rule, types: readonly SegmentType[]): SegmentType | undefined =>
  types.find((type) => what === `segment:${type}`);

/** The field of a condition. */
export const fieldOf = ({ what, name }: Rule): Where['field'] => {
  if (what === 'tag:') return { tag: name.trim() };
  return what === 'own:' ? `${OWN}${name.trim()}` : what.slice('field:'.length);
};

/** The condition of a rule; `undefined` for a segment, and while something is missing. */
export const conditionOf = (rule: Rule): Where | undefined => {
  if (rule.op === 'is' || rule.op === 'is_not') return undefined;
  const needsName = rule.what === 'tag:' || rule.what === 'own:';
  return needsName && rule.name.trim() === '' ? undefined : whereOf(fieldOf(rule), rule.op, rule.typed);
};

/** The segment of a condition that is still as it was stored. */
const storedId = (rule: Rule): number | undefined => {
  const where = conditionOf(rule);
  const before = rule.chosen?.where;
  return where && before && isSame(where, before) ? rule.chosen.id : undefined;
};

const whereIn = (rule: Rule): Definition | undefined => {
  const where = conditionOf(rule);
  return where && { where };
};

/** The definition of a part as far as it is complete; `undefined` while nothing of it is. */
export const definitionOf = (part: Part): Definition | undefined => {
  if (part.kind === 'rule') {
    if (!isOfSegment(part)) return storedId(part) ?? whereIn(part);
    if (part.chosen === undefined) return undefined;
    return part.op === 'is_not' ? { not: part.chosen.id } : part.chosen.id;
  }
  const parts = part.of.flatMap((one) => definitionOf(one) ?? []);
  const [only] = parts;
  if (only === undefined) return undefined;
  if (part.match === 'none') return { not: parts.length === 1 ? only : { any: parts } };
  if (parts.length === 1) return only;
  return part.match === 'all' ? { all: parts } : { any: parts };
};

/** The complete conditions of a part that are no segments yet, each once. */
export const conditionsIn = (part: Part): readonly Where[] => {
  const found = rulesIn(part).flatMap((rule) =>
    storedId(rule) === undefined ? (conditionOf(rule) ?? []) : [],
  );
  return [...new Map(found.map((where) => [JSON.stringify(where), where])).values()];
};

/** The number of the part of a group: 2, or 2.1 in the group 2. */
export const placeOf = (group: string, index: number): string =>
  group === '' ? `${index + 1}` : `${group}.${index + 1}`;

/** What a rule that is not complete lacks. A definition leaves it out. */
export interface Lack {
  readonly place: string;
  readonly lacks: 'name' | 'value' | 'fit';
}

/** The rules of a group that are not complete. */
export const lacksIn = (group: Group, place = ''): readonly Lack[] =>
  group.of.flatMap((part, index) => {
    const own = placeOf(place, index);
    if (part.kind === 'group') return lacksIn(part, own);
    return definitionOf(part) === undefined ? [{ place: own, lacks: lackOf(part) }] : [];
  });

const lackOf = ({ what, name, op, typed }: Rule): Lack['lacks'] => {
  if (op === 'is' || op === 'is_not') return 'value';
  if ((what === 'tag:' || what === 'own:') && name.trim() === '') return 'name';
  const needed = typed.slice(0, takes(op) === 'two' ? 2 : 1);
  return needed.some((text) => text.trim() === '') ? 'value' : 'fit';
};

/** The rules of a part, in the order in which they are shown. */
export const rulesIn = (part: Part): readonly Rule[] =>
  part.kind === 'rule' ? [part] : part.of.flatMap(rulesIn);

/** A definition to store: each condition is replaced by the id of its segment. `undefined` if an id is missing. */
export const withIds = (
  definition: Definition,
  ids: ReadonlyMap<string, number>,
): StoredDefinition | undefined => {
  if (typeof definition === 'number') return definition;
  if ('named' in definition) return undefined;
  if ('where' in definition) return ids.get(JSON.stringify(definition.where));
  if ('not' in definition) {
    const not = withIds(definition.not, ids);
    return not === undefined ? undefined : { not };
  }
  const parts = 'all' in definition ? definition.all : definition.any;
  const of = parts.flatMap((part) => withIds(part, ids) ?? []);
  if (of.length < parts.length) return undefined;
  return 'all' in definition ? { all: of } : { any: of };
};

/** Words that an address has at most. A figure needs few. */
const WORDS = 20;

/** The ids in the words of an address; `undefined` if one is neither an id nor a field, or if there are too many. */
export const idsAmong = (words: readonly string[]): readonly number[] | undefined => {
  const ids = words.filter((word) => !fields.includes(word));
  const isRead = words.length <= WORDS && ids.every((word) => /^[1-9]\d{0,14}$/.test(word));
  return isRead ? ids.map(Number) : undefined;
};

/**
 * The rules of an address, from ids of segments and fields that are known. Without one, a rule to fill in. `undefined` if it
 * has anything else: the rest alone would be other people.
 */
export const groupOfWords = (
  words: readonly string[],
  names: ReadonlyMap<number, Named>,
): Group | undefined => {
  if (words.length === 0) return newGroup();
  if (idsAmong(words)?.every((id) => names.has(id)) !== true) return undefined;
  const rules = words.map((word): Rule => {
    if (fields.includes(word)) return { ...newRule(`field:${word}`), op: 'exists' };
    return ruleOf(Number(word), names.get(Number(word)));
  });
  return newGroup('all', rules);
};

/** The rules of a stored definition. A segment that is gone is a rule without one. */
export const groupOf = (definition: StoredDefinition, names: ReadonlyMap<number, Named>): Group => {
  const part = partOf(definition, names);
  return part.kind === 'group' ? part : newGroup('all', [part]);
};

const partOf = (definition: StoredDefinition, names: ReadonlyMap<number, Named>): Part => {
  const parts = (of: readonly StoredDefinition[]): readonly Part[] => of.map((one) => partOf(one, names));
  if (typeof definition === 'number') return ruleOf(definition, names.get(definition));
  if ('all' in definition) return newGroup('all', parts(definition.all));
  if ('any' in definition) return newGroup('any', parts(definition.any));
  const { not } = definition;
  if (typeof not !== 'number' && 'any' in not) return newGroup('none', parts(not.any));
  const part = partOf(not, names);
  const isSegment = part.kind === 'rule' && isOfSegment(part);
  return isSegment && typeof not === 'number' ? { ...part, op: 'is_not' } : newGroup('none', [part]);
};

/** The rule of a segment: that of its condition if one can write it here, and else that a person is in it. */
const ruleOf = (id: number, named: Named | undefined): Rule => {
  const chosen = named && { ...named, id };
  const type = offeredTypes.find((one) => one === named?.type) ?? '';
  return conditionRule(chosen) ?? { ...newRule(`segment:${type}`), chosen };
};

const conditionRule = (chosen: Chosen | undefined): Rule | undefined => {
  const where = chosen?.where;
  if (where === undefined) return undefined;
  const about = aboutField(where.field);
  if (about === undefined) return undefined;
  const rule: Rule = { ...about, op: where.op, typed: typedOf(where), chosen };
  return storedId(rule) !== undefined && operatorsFor(where.field).includes(where.op) ? rule : undefined;
};

/** A rule about a field, if the list of fields offers it. */
const aboutField = (field: Where['field']): Rule | undefined => {
  if (typeof field !== 'string') return { ...newRule('tag:'), name: field.tag };
  if (field.startsWith(OWN)) return { ...newRule('own:'), name: field.slice(OWN.length) };
  return fields.includes(field) ? newRule(`field:${field}`) : undefined;
};
