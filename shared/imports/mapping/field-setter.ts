/** Field setters: write the text of a cell, or its erasure, into a record that is being made. */
import { addToStatement } from './consent-cells.ts';
import type { Target } from './field-targets.ts';

/** A record that is being made. */
export type Draft = Record<string, unknown>;

/** Writes a text into a record; `null` erases the value of the profile. A list without a value counts as empty. */
export interface FieldSetter {
  readonly set: (record: Draft, text: string) => void;
  readonly erase: (record: Draft) => void;
}

/** How the values of a list are read. */
export interface ListOptions {
  /** The text between two values; `undefined` is the default of the target. */
  readonly split: string | undefined;
  /** Whether a list without a value erases the values of the profile. */
  readonly erases: boolean;
  /** Whether that is an empty list, which replaces the tags of this source only. */
  readonly replaces: boolean;
  /** Time of tags (`YYYY-MM-DD HH:MM:SS`, UTC). */
  readonly arrived: string;
}

/** The setter of a target. */
export const setterOf = (target: Target, options: ListOptions): FieldSetter => {
  const write = writerOf(target);
  const erase = (record: Draft): void => write(record, options.replaces ? [] : null);
  const valuesOf = target.kind === 'field' ? listOf(target.name, options) : undefined;
  if (valuesOf) {
    return {
      erase,
      set: (record, text) => {
        const values = valuesOf(text);
        if (values !== undefined) write(record, values);
        else if (options.erases) erase(record);
      },
    };
  }
  if (target.kind === 'field' && target.name === 'age')
    return { erase, set: (record, text) => write(record, /^\d{1,3}$/.test(text) ? Number(text) : text) };
  return { erase, set: write };
};

const writerOf = ({ kind, name }: Target): ((record: Draft, value: unknown) => void) => {
  if (kind === 'consent') return (record, state) => addToStatement(record, name, { state });
  if (kind === 'consentTime') return (record, datetime) => addToStatement(record, name, { datetime });
  if (kind === 'address') return (record, value) => setIn(record, 'address', name, value);
  if (kind === 'extra') return (record, value) => setIn(record, 'extra_data', name, value);
  return (record, value) => {
    record[name] = value;
  };
};

const setIn = (record: Draft, parent: 'address' | 'extra_data', name: string, value: unknown): void => {
  const object = record[parent];
  if (isDraft(object)) object[name] = value;
  else record[parent] = { [name]: value };
};

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null;

/** A function from a text to the list of a target, `undefined` for an empty list; `undefined` for other targets. */
const listOf = (name: string, { split, arrived }: ListOptions): ((text: string) => unknown) | undefined => {
  if (name === 'tags') {
    return (text) => {
      const tag = partsOf(text, split ?? ';');
      return tag.length === 0 ? undefined : [{ datetime: arrived, tag }];
    };
  }
  if (name === 'remove_tags') {
    return (text) => {
      const tags = partsOf(text, split ?? ';');
      return tags.length === 0 ? undefined : tags;
    };
  }
  if (name === 'social_likes') {
    return (text) => {
      const ids = partsOf(text, split ?? ';');
      return ids.length === 0 ? undefined : ids.map((id) => ({ id }));
    };
  }
  // A record has its sources as one text, delimited by commas.
  if (name !== 'source') return undefined;
  if (split === undefined) return (text) => text;
  return (text) => {
    const labels = partsOf(text, split);
    return labels.length === 0 ? undefined : labels.join(',');
  };
};

/** The values of a list, without white space around them. */
const partsOf = (text: string, split: string): readonly string[] =>
  text
    .split(split)
    .map((part) => part.trim())
    .filter((part) => part !== '');
