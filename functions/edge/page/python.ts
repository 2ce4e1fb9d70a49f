/** Python sample: writes a call of an operation with the Python client `tidemark`. */
import { MARK, type ExampleRequest } from './example-request.ts';
import { fitted, literal, type Notation } from './literal.ts';

/** The call, with the client that makes it. A list is read whole, page by page. */
export const python = (request: ExampleRequest): string => {
  const { id, path, filters, body, needsToken, isList } = request;
  const given = [
    ...Object.values(path).map((value) => literal(notation, value)),
    ...(body === undefined ? [] : [literal(notation, body)]),
    ...Object.entries(filters).map(([name, value]) => `${keyword(name)}=${literal(notation, value)}`),
  ];
  const call = fitted(notation, `client.${snake(id)}(`, given);
  return [
    ...(needsToken ? ['import os', ''] : []),
    'from tidemark import Tidemark',
    '',
    `client = ${fitted(notation, 'Tidemark(', optionsOf(request))}`,
    ...(isList ? [`for one in ${call}:`, '    print(one)'] : [`answer = ${call}`, 'print(answer)']),
  ].join('\n');
};

const optionsOf = ({ baseUrl, needsToken, property }: ExampleRequest): readonly string[] => [
  JSON.stringify(baseUrl),
  ...(needsToken ? ['token=os.environ["TOKEN"]'] : []),
  ...(property === undefined ? [] : [`property_id=${MARK}${literal(notation, property)}${MARK}`]),
];

/** The client writes a name that Python reserves with an underscore at its end. */
const keyword = (name: string): string =>
  /^(?:as|class|from|global|import|in|is|not|or)$/.test(name) ? `${name}_` : name;

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const notation: Notation = {
  scalar: (value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  },
  key: (name) => JSON.stringify(name),
  padding: '',
  indent: '    ',
};
