/** TypeScript sample: writes a call of an operation with the typed client `tidemark`. */
import { MARK, type ExampleRequest } from './example-request.ts';
import { inLines, literal, type Notation } from './literal.ts';

/** The call, with the client that makes it. A list is read whole, page by page. */
export const typescript = (request: ExampleRequest): string => {
  const call = `tidemark.${request.id}(${inputOf(request)})`;
  return `import { Tidemark } from 'tidemark';

const tidemark = new Tidemark(${optionsOf(request)});
${request.isList ? `for await (const one of ${call})\n  console.log(one);` : `const answer = await ${call};\nconsole.log(answer);`}`;
};

const optionsOf = ({ baseUrl, needsToken, property }: ExampleRequest): string => {
  const options = [
    `baseUrl: ${quoted(baseUrl)}`,
    ...(needsToken ? ['token: process.env.TOKEN'] : []),
    ...(property === undefined ? [] : [`propertyId: ${MARK}${literal(notation, property)}${MARK}`]),
  ];
  return options.length === 1 ? `{ ${options.join('')} }` : inLines(notation, '{', options, '}');
};

const inputOf = ({ path, filters: query, body }: ExampleRequest): string => {
  const input = {
    ...(isEmpty(path) ? {} : { path }),
    ...(isEmpty(query) ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
  return isEmpty(input) ? '' : literal(notation, input);
};

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;

const quoted = (text: string): string => {
  const escaped = JSON.stringify(text);
  return text.includes("'") ? escaped : `'${escaped.slice(1, -1).replaceAll(String.raw`\"`, '"')}'`;
};

const notation: Notation = {
  scalar: (value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value)),
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name)),
  padding: ' ',
  indent: '  ',
};
