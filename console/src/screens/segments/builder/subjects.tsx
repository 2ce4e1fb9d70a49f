/** What a rule can be about: segments of a type, fields of people, and columns of the reader's own files. */
import type { Tidemark } from '../../../../../client/src/tidemark.ts';
import { useApp } from '../../../app-context.ts';
import { useLoad } from '../../../load.ts';
import type { Texts } from '../../../texts/en.ts';
import { wordFor } from '../../../words.ts';
import { OWN } from '../where-words.ts';
import { newRule, type Rule, type What } from './draft.ts';
import { fields, offeredTypes } from './offered.ts';

/** Columns of files that are offered. */
const OWN_FIELDS = 200;

/** The keys of the extra data that import definitions fill. Without them one can type a key. */
const importedKeys = async (api: Tidemark, signal: AbortSignal): Promise<readonly string[]> => {
  const { imports } = await api.listImports({ query: { limit: 100, order: 'newest' }, signal });
  const targets = imports.flatMap(({ mapping_fields }) =>
    mapping_fields.field_maps.map(({ target_field }) => target_field),
  );
  const keys = targets.filter((target) => target.startsWith(OWN)).map((target) => target.slice(OWN.length));
  return [...new Set(keys)].slice(0, OWN_FIELDS);
};

/** The keys of the reader's own columns. */
export const useOwnKeys = (): readonly string[] => {
  const { api } = useApp();
  return useLoad('own keys', (signal) => importedKeys(api, signal)).data ?? [];
};

/** What a rule is about, in words. */
const subjectWord = (what: What, texts: Texts): string => {
  const words = texts.segments.builder;
  if (what === 'segment:') return words.anySegment;
  if (what.startsWith('segment:')) return wordFor(texts, 'segmentType', what.slice('segment:'.length));
  if (what === 'own:') return words.otherColumn;
  if (what === 'tag:') return words.timeOfTag;
  return wordFor(texts, 'field', what.slice('field:'.length));
};

const segmentWhats: readonly What[] = [...offeredTypes.map((type): What => `segment:${type}`), 'segment:'];
const fieldWhats: readonly What[] = [...fields.map((name): What => `field:${name}`), 'tag:'];

/** The value of an option: a column of a file has its key in it. */
const optionOf = ({ what, name }: Pick<Rule, 'what' | 'name'>, keys: readonly string[]): string =>
  what === 'own:' && keys.includes(name) ? `own:${name}` : what;

/** The choice of what a rule is about. */
export const SubjectSelect = (props: {
  readonly rule: Rule;
  readonly keys: readonly string[];
  readonly label: string;
  readonly onChange: (rule: Rule) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { rule, keys } = props;
  const current = optionOf(rule, keys);
  const choose = (value: string): void => {
    const own = keys.find((key) => value === `own:${key}`);
    const what = [...segmentWhats, ...fieldWhats, 'own:' as const].find((one) => one === value);
    if (own !== undefined) props.onChange({ ...newRule('own:', rule.key), name: own });
    else if (what !== undefined) props.onChange(newRule(what, rule.key));
  };
  const option = (value: string, label: string) => (
    <option key={value} value={value} selected={value === current}>
      {label}
    </option>
  );
  return (
    <select aria-label={props.label} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <optgroup label={words.fields}>
        {fieldWhats.map((what) => option(what, subjectWord(what, texts)))}
      </optgroup>
      <optgroup label={words.columns}>
        {keys.map((key) => option(`own:${key}`, key))}
        {option('own:', words.otherColumn)}
      </optgroup>
      <optgroup label={words.groups}>
        {segmentWhats.map((what) => option(what, subjectWord(what, texts)))}
      </optgroup>
    </select>
  );
};
