/** A name for a segment from its rules. */
import { useApp } from '../../../app-context.ts';
import { NAME_CHARACTERS, nameOf } from '../../../segment-name.ts';
import { whereWords } from '../where-words.ts';
import { conditionOf, type Group, type Part } from './draft.ts';

/** A name for the rules, for who types none: Jazz, Age is under 65. */
export const useSuggestion = (group: Group): string => {
  const { texts, format } = useApp();
  const wordsOf = (part: Part, negated: boolean): readonly string[] => {
    if (part.kind === 'group') {
      const turned = part.match === 'none' ? !negated : negated;
      return part.of.flatMap((one) => wordsOf(one, turned));
    }
    const where = conditionOf(part);
    const name = where ? whereWords(where, texts, format) : part.chosen && nameOf(part.chosen, texts);
    if (name === undefined) return [];
    return (part.op === 'is_not') === negated ? [name] : [texts.segments.builder.notNamed(name)];
  };
  const parts = wordsOf(group, false);
  return parts.join(', ').slice(0, NAME_CHARACTERS);
};
