/** Examples of calls for the comments of the generated client, from the parameters and bodies of the API document. */
import { format } from 'prettier';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean | undefined;
  readonly schema?: { readonly type?: unknown; readonly enum?: readonly unknown[] | undefined } | undefined;
}

/** What an example is made of. */
interface Sample {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The example of the body in the API document. */
  readonly body: unknown;
  readonly isList: boolean;
}

/** A call of an operation with what it must be given. A test compiles the examples. */
export const exampleOf = async ({ name, parameters, body, isList }: Sample): Promise<string> => {
  const input = { path: partOf('path', parameters), query: partOf('query', parameters), body };
  const isEmpty = Object.values(input).every((part) => part === undefined);
  const call = `tidemark.${name}(${isEmpty ? '' : JSON.stringify(input)})`;
  const code = isList
    ? `for await (const item of ${call}) console.log(item);`
    : `const answer = await ${call};`;
  return (await format(code, { parser: 'typescript', singleQuote: true, printWidth: 100 })).trim();
};

const partOf = (place: string, parameters: readonly Parameter[]): object | undefined => {
  const given = parameters.filter((one) => one.in === place && isGiven(one, parameters));
  return given.length === 0 ? undefined : Object.fromEntries(given.map((one) => [one.name, valueOf(one)]));
};

/** The client fills in the property. A person is looked up by e-mail address, unless the path names something else. */
const isGiven = ({ name, required }: Parameter, all: readonly Parameter[]): boolean => {
  if (required === true) return name !== 'property_id';
  return name === 'email' && !all.some((one) => one.in === 'path' && one.name !== 'property_id');
};

const valueOf = ({ name, schema = {} }: Parameter): unknown => {
  if (name === 'email') return 'ada@example.org';
  if (schema.enum) return schema.enum[0];
  return schema.type === 'integer' || schema.type === 'number' ? 1001000000001 : `{${name}}`;
};
