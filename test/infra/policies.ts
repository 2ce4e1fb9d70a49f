/** The policy documents of `docs/policies`, read and judged as IAM does: by actions and resources with stars. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const texts = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => [text]),
  ),
]);
const document = v.strictObject({
  Version: v.literal('2012-10-17'),
  Statement: v.array(
    v.strictObject({
      Effect: v.literal('Allow'),
      Action: texts,
      Resource: texts,
      Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
    }),
  ),
});
export type PolicyDocument = v.InferOutput<typeof document>;

/** A document by its name, and its size as IAM counts it: without white space. */
export const policyOf = (name: string): { readonly policy: PolicyDocument; readonly size: number } => {
  const file = new URL(`../../docs/policies/${name}.json`, import.meta.url);
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return { policy: v.parse(document, value), size: JSON.stringify(value).length };
};

/** The actions of a document, as written. */
export const actionsIn = ({ Statement }: PolicyDocument): readonly string[] =>
  [...new Set(Statement.flatMap(({ Action }) => Action))].toSorted();

const matches = (pattern: string, text: string): boolean => {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
};

/** Whether a document allows an action on a resource, as far as conditions go along. */
export const allows = ({ Statement }: PolicyDocument, action: string, arn: string): boolean =>
  Statement.some(
    ({ Action, Resource }) =>
      Action.some((pattern) => matches(pattern, action)) && Resource.some((pattern) => matches(pattern, arn)),
  );
