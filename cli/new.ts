/**
 * `npm run new -- GET collections/{collection_id}/segments`: writes the files of a new endpoint, whose tests fail and say
 * what to fill in. The path begins behind `/v1/{property_id}/`. A name may follow, where the path gives none:
 * `npm run new -- POST things/{thing_id}/close closeThing`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';

const verbs = { GET: 'get', POST: 'create', PUT: 'replace', DELETE: 'delete' } as const;
type Method = keyof typeof verbs;

/** A route to write, and its names. */
interface NewRoute {
  readonly method: Method;
  readonly path: string;
  /** The folder in `shared/`, `functions/` and `test/`. */
  readonly area: string;
  /** The name of the entry and of the use case. */
  readonly name: string;
  /** The same, for files. */
  readonly file: string;
}

const USAGE = 'Usage: npm run new -- GET|POST|PUT|DELETE things/{thing_id} [name]';
const form = /^[a-z][a-z-]*(\/([a-z][a-z-]*|\{[a-z][a-z_]*\}))*$/;

const isMethod = (text: string): text is Method => Object.hasOwn(verbs, text);
const isParameter = (part: string): boolean => part.startsWith('{');
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
const camel = (word: string): string => word.split('-').map(upperFirst).join('');
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Whether the route lists things: a list comes in pages. */
const isList = ({ method, path }: Pick<NewRoute, 'method' | 'path'>): boolean =>
  method === 'GET' && !isParameter(path.split('/').at(-1) ?? '');

/** `GET things/{thing_id}` is `getThing`, and `GET things/{thing_id}/parts` is `listThingParts`. */
const nameOf = (method: Method, path: string): string => {
  const isMany = isList({ method, path });
  const words = path.split('/').filter((part) => !isParameter(part));
  const nouns = words.map((word, index) => (isMany && index === words.length - 1 ? word : singular(word)));
  return `${isMany ? 'list' : verbs[method]}${nouns.map(camel).join('')}`;
};

/** Reads the command line. Throws an error with the usage. */
const readArguments = ([method = '', path = '', named]: readonly string[]): NewRoute => {
  if (!isMethod(method) || !form.test(path)) throw new Error(USAGE);
  const name = named ?? nameOf(method, path);
  if (!/^[a-z][A-Za-z]*$/.test(name)) throw new Error(USAGE);
  return { method, path, area: path.split('/')[0] ?? '', name, file: kebab(name) };
};

const hasBody = ({ method }: NewRoute): boolean => method === 'POST' || method === 'PUT';

const schemasOf = (route: NewRoute): string => `
/** Answer of \`${route.method} ${route.path}\`. */
export const ${route.name}Answer = v.strictObject({ ${isList(route) ? 'paging' : ''} });
${
  hasBody(route)
    ? `
/** Body of \`${route.method} ${route.path}\`. */
export const ${route.name}Body = v.strictObject({});
export type ${upperFirst(route.name)}Body = v.InferOutput<typeof ${route.name}Body>;
`
    : ''
}`;

/** The imports of a use case, and its type. */
const typeOf = (route: NewRoute): { readonly imports: string; readonly type: string } => {
  const useCase = "import type { UseCase } from '../http/api-types.ts';";
  if (hasBody(route)) {
    const body = `${upperFirst(route.name)}Body`;
    const imports = `import type { NoQuery, UseCase } from '../http/api-types.ts';\nimport type { ${body} } from './schemas.ts';`;
    return { imports, type: `UseCase<Deps, NoQuery, ${body}>` };
  }
  if (!isList(route)) return { imports: useCase, type: 'UseCase<Deps>' };
  const query = "import type { ListQuery } from '../http/list-schemas.ts';";
  const deps = "import type { ListDeps } from '../http/listing.ts';";
  return { imports: [useCase, query, deps].join('\n'), type: 'UseCase<Deps & ListDeps, ListQuery>' };
};

const useCaseOf = (route: NewRoute): string => {
  const { imports, type } = typeOf(route);
  const advice = isList(route) ? ' `answerList` of `shared/http/listing.ts` answers in pages.' : '';
  return `${imports}
import { missing } from '../http/not-found.ts';
import { err } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';

export interface Deps {
  readonly table: Pick<Table, 'get'${isList(route) ? " | 'query'" : ''}>;
}

/** \`${route.method} ${route.path}\`. TODO: say what it does.${advice} */
export const ${route.name}: ${type} = () =>
  Promise.resolve(err(missing('TODO: ${route.name} is not written.')));
`;
};

/** The defaults of the function of a route. */
const functionOf = (route: NewRoute): string => (isList(route) ? 'linkFunction' : 'apiFunction');

const entryOf = (route: NewRoute): string => `
export const ${route.name} = /* @__PURE__ */ entry(() => ({
  ...${functionOf(route)}('api'),
  source: '${route.area}/${route.file}',
  summary: 'TODO: say what the route does',
  trigger: route('${route.method}', '/v1/{property_id}/${route.path}', {
    // TODO: is it this permission? docs/api.md has them all.
    permission: '${route.method === 'GET' ? 'definitions.read' : 'definitions.write'}',
    ${hasBody(route) ? `body: ${route.name}Body,` : ''}
    ${isList(route) ? 'query: listQuery,' : ''}
    answer: ${route.name}Answer,
    ${route.method === 'POST' ? 'statuses: [201],' : ''}
  }),
  ${isList(route) ? '' : "access: { table: ['read'] },"}
}));
`;

const handlerOf = (route: NewRoute): string => {
  const { area, name, file } = route;
  return `import { apiHandler } from '../../shared/edge/api-handler.ts';
import { ${name} } from '../../shared/${area}/${file}.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
${isList(route) ? "import { linkDeps } from '../link-deps.ts';" : ''}
import * as entries from './entries.ts';

export const handler = apiHandler(entries.${name}, ${name}, (env) => ({ table: tableFromEnv(env), ${isList(route) ? '...linkDeps(env)' : ''} }));
`;
};

/** The ids in the path of a request of the test. */
const pathOf = ({ path }: NewRoute): string => {
  const names = path.split('/').filter(isParameter);
  return names.length === 0
    ? ''
    : `path: { ${names.map((part) => `${part.slice(1, -1)}: '3'`).join(', ')} },`;
};

const testOf = (route: NewRoute): string => `import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as entries from '../../functions/${route.area}/entries.ts';
import { ${route.name} } from '../../shared/${route.area}/${route.file}.ts';
import { ${route.name}Answer } from '../../shared/${route.area}/schemas.ts';
${isList(route) ? "import { scopeOf } from '../segments/fixture.ts';" : ''}
import { MemoryTable } from '../support/memory-table.ts';
import { requestOf } from '../support/requests.ts';

const setUp = () => {
  const table = new MemoryTable();
  const deps = { table, ${isList(route) ? "scopeOf, baseUrl: 'https://api.example.test'" : ''} };
  const request = requestOf({ property: 7, query: {}, body: ${hasBody(route) ? '{}' : 'undefined'}, ${pathOf(route)} });
  return { table, answering: () => ${route.name}(deps, request) };
};

describe('${route.method} ${route.path}', () => {
  it('answers what its schema says', async () => {
    const { answering } = setUp();
    // TODO: store what the request is about.
    const answer = await answering();
    expect(answer, 'Write ${route.name} in shared/${route.area}/${route.file}.ts').toMatchObject({ ok: true });
    const body: unknown = answer.ok ? answer.value.body : undefined;
    expect(v.is(${route.name}Answer, body), 'The answer is not what schemas.ts says').toBe(true);
  });
${
  pathOf(route) === ''
    ? ''
    : `
  it('answers 404 for what the property does not have', async () => {
    expect(await setUp().answering()).toMatchObject({ error: { status: 404 } });
  });
`
}
  it('has an answer with members', () => {
    const advice = 'Write ${route.name}Answer in shared/${route.area}/schemas.ts';
    expect(Object.keys(${route.name}Answer.entries).length, advice).toBeGreaterThan(${isList(route) ? 1 : 0});
  });

  it('says what it does', () => {
    const advice = 'Write the summary in functions/${route.area}/entries.ts';
    expect(entries.${route.name}.summary, advice).not.toContain('TODO');
  });
});
`;

/** The text of a file with further names imported from a module. */
const withImport = (text: string, names: readonly string[], from: string): string => {
  const present = `} from '${from}';`;
  if (text.includes(present))
    return text.replace(present, `, ${names.join(', ')} ${present}`).replace(/,\s*,/, ',');
  return text.replace(/^(?=import )/m, `import { ${names.join(', ')} } from '${from}';\n`);
};

const read = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;

/** The files of a route, with what they hold already. Throws if the route exists. */
const filesOf = (route: NewRoute): ReadonlyMap<string, string> => {
  const { area, name, file } = route;
  const entriesFile = `functions/${area}/entries.ts`;
  const entries =
    read(entriesFile) ?? `/** Entries of ${area}. */\nimport { entry, route } from '../entry.ts';\n`;
  if (entries.includes(`export const ${name} `)) throw new Error(`${entriesFile} has ${name} already.`);
  const schemas = `shared/${area}/schemas.ts`;
  const names = [`${name}Answer`, ...(hasBody(route) ? [`${name}Body`] : [])];
  const types = read(schemas) ?? `import * as v from 'valibot';\n`;
  const having = (text: string, what: string, from: string): string =>
    new RegExp(`import .*\\b${what}\\b`).test(text) ? text : withImport(text, [what], from);
  const inPages: typeof having = (text, ...what) => (isList(route) ? having(text, ...what) : text);
  const called = having(entries, functionOf(route), '../entry.ts');
  const imported = withImport(called, names, `../../shared/${area}/schemas.ts`);
  const files = new Map([
    [schemas, inPages(types, 'paging', '../http/list-schemas.ts') + schemasOf(route)],
    [`shared/${area}/${file}.ts`, useCaseOf(route)],
    [entriesFile, inPages(imported, 'listQuery', '../../shared/http/list-schemas.ts') + entryOf(route)],
    [`functions/${area}/${file}.ts`, handlerOf(route)],
    [`test/${area}/${file}.test.ts`, testOf(route)],
  ]);
  if (read(entriesFile) !== undefined) return files;
  const entriesOf = area.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const manifest = readFileSync('functions/manifest.ts', 'utf8')
    .replace(/^(?=import )/m, `import * as ${entriesOf} from './${area}/entries.ts';\n`)
    .replace(/^};$/m, `  ...${entriesOf},\n};`);
  return files.set('functions/manifest.ts', manifest);
};

const NEXT = `Fill in what the tests name. Then, as CONTRIBUTING.md says: a scene in test/scenes, a page in docs and a line in
CHANGELOG.md. Last npm run examples, then npm run openapi, which reads the examples.`;

try {
  for (const [file, text] of filesOf(readArguments(process.argv.slice(2)))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
    process.stdout.write(`${file}\n`);
  }
  process.stdout.write(`\n${NEXT}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
