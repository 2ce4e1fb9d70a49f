/** Client sample: writes a call of an operation with the typed client `tidemark`. */
import { isObject } from '../../../shared/http/json.ts';
import { MARK, type ExampleRequest } from './example-request.ts';

/** The call, with the client that makes it. A list is read whole, page by page. */
export const clientSample = (request: ExampleRequest): string => {
  const call = `tidemark.${request.id}(${inputOf(request)})`;
  return `import { Tidemark } from 'tidemark';

const tidemark = new Tidemark(${optionsOf(request)});
${request.isList ? `for await (const one of ${call})\n  console.log(one);` : `const answer = await ${call};\nconsole.log(answer);`}`;
};

const optionsOf = ({ baseUrl, needsToken, property }: ExampleRequest): string => {
  const options = [
    `baseUrl: ${quoted(baseUrl)}`,
    ...(needsToken ? ['token: process.env.TOKEN'] : []),
    ...(property === undefined ? [] : [`propertyId: ${MARK}${literal(property)}${MARK}`]),
  ];
  return options.length === 1 ? `{ ${options.join('')} }` : inLines('{', '}', options);
};

const inputOf = ({ path, query, body, isList }: ExampleRequest): string => {
  // Of the examples, pages of one or two items. To read a whole list in these would take a request for each.
  const filters = isList
    ? Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'limit'))
    : query;
  const input = {
    ...(isEmpty(path) ? {} : { path }),
    ...(isEmpty(filters) ? {} : { query: filters }),
    ...(body === undefined ? {} : { body }),
  };
  return isEmpty(input) ? '' : literal(input);
};

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;

/** The characters of a value that stays in one line. */
const WIDTH = 70;

/** A JSON value as TypeScript writes it: in one line if it fits, else with a line for each member. */
const literal = (value: unknown): string => {
  const flat = inOneLine(value);
  if (flat.length <= WIDTH || typeof value !== 'object') return flat;
  const parts = partsOf(value, literal);
  return Array.isArray(value) ? inLines('[', ']', parts) : inLines('{', '}', parts);
};

const inLines = (open: string, close: string, parts: readonly string[]): string =>
  `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}${close}`;

const inOneLine = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (!Array.isArray(value) && !isObject(value)) return JSON.stringify(value);
  const parts = partsOf(value, inOneLine).join(', ');
  if (Array.isArray(value)) return `[${parts}]`;
  return parts === '' ? '{}' : `{ ${parts} }`;
};

const partsOf = (value: unknown, write: (part: unknown) => string): readonly string[] => {
  if (Array.isArray(value)) return value.map(write);
  return isObject(value) ? Object.entries(value).map(([name, part]) => `${key(name)}: ${write(part)}`) : [];
};

const key = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name));

const quoted = (text: string): string => {
  const escaped = JSON.stringify(text);
  return text.includes("'") ? escaped : `'${escaped.slice(1, -1).replaceAll(String.raw`\"`, '"')}'`;
};
