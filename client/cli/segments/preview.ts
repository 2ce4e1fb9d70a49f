/** Counts the people of an expression before it becomes a segment. */
import type { Answer } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import type { Expression } from '../expression/types.ts';
import { CommandFailure } from '../failure.ts';
import { bodyOf } from '../bodies.ts';
import { counted } from '../terminal/text.ts';
import { conditionsIn } from './conditions.ts';
import { type Definition, definitionOf } from './definition.ts';

/** The number of people in a definition, and some of them. */
export type Preview = Answer<'previewSegment'>;

/** Counts the people of an expression. Returns the answer with the definition that was counted. */
export const previewOf = async (
  context: Connected,
  expression: Expression,
): Promise<Preview & { readonly definition: Definition }> => {
  if (conditionsIn(expression).length > 0)
    throw new CommandFailure('People of conditions cannot be counted before there is a segment; create one.');
  const definition = await definitionOf(context, expression);
  const preview = await context.client.previewSegment({ body: bodyOf('previewSegment', { definition }) });
  return { definition, ...preview };
};

/** The people of a preview in words. */
export const previewLines = ({ count: people }: Preview): readonly string[] => [
  `${counted(people, 'person', 'people')}.`,
];
