/** The examples of the README and of the doc comments: they compile as a user of the package would write them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { examplesIn, faultsIn, programOf } from '../support/type-check.ts';

const root = join(import.meta.dirname, '../..');
const readme = examplesIn(readFileSync(join(root, 'client/README.md'), 'utf8'));

/** What the examples of the README use and leave to the reader. An example may declare a name itself. */
const given = {
  tidemark: 'Tidemark',
  baseUrl: 'string',
  propertyId: 'number',
  clientId: 'string',
  username: 'string',
  password: 'string',
  storedToken: 'string',
  store: '(token: string, expiresAt: number | undefined) => void',
  importId: 'number',
  segmentId: 'number',
  segment_id: 'number',
  body: `Input<'createExport'>['body']`,
  secret: 'string',
  request: `import('node:http').IncomingMessage`,
  rawBody: 'Uint8Array',
};

const globals = [
  "import type { Input, Tidemark } from 'tidemark';",
  'declare global {',
  ...Object.entries(given).map(([name, type]) => `  const ${name}: ${type};`),
  '}',
].join('\n');

const documentSchema = v.object({
  paths: v.record(
    v.string(),
    v.record(v.string(), v.looseObject({ operationId: v.string(), 'x-permission': v.optional(v.string()) })),
  ),
});

const entry = 'client/src/index.ts';
const options = {
  paths: {
    tidemark: [join(root, entry)],
    'tidemark/webhooks': [join(root, 'client/src/webhooks.ts')],
  },
};

const library = programOf(new Map([[entry, readFileSync(join(root, entry), 'utf8')]]), options);
const checker = library.getTypeChecker();
const isHandWritten = ({ fileName }: ts.SourceFile): boolean => !fileName.endsWith('/generated/schema.ts');

/** A part of the library that its users see. */
interface Part {
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly kind: 'export' | 'member';
  /** Whether users call it, or make it with `new`. */
  readonly isCalled: boolean;
}

const partOf = (symbol: ts.Symbol, kind: Part['kind'], name: string): Part => {
  const [declaration] = symbol.declarations ?? [];
  const isFunction =
    declaration !== undefined && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
  return {
    name,
    symbol,
    kind,
    isCalled: isFunction || (declaration && ts.isClassDeclaration(declaration)) === true,
  };
};

/** The public methods of a class, and those that it inherits from a class of the library. */
const methodsOf = (owner: ts.Symbol): readonly ts.MethodDeclaration[] =>
  (owner.declarations ?? []).filter(ts.isClassDeclaration).flatMap((declared) => {
    const own = declared.members.filter(ts.isMethodDeclaration).filter(({ name, modifiers = [] }) => {
      const hidden = [ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.PrivateKeyword];
      return !ts.isPrivateIdentifier(name) && !modifiers.some(({ kind }) => hidden.includes(kind));
    });
    const [base] = declared.heritageClauses?.flatMap(({ types }) => types) ?? [];
    const parent = base && checker.getTypeAtLocation(base).symbol;
    return parent && declared.heritageClauses?.[0]?.token === ts.SyntaxKind.ExtendsKeyword
      ? [...own, ...methodsOf(parent)]
      : own;
  });

const exported = (() => {
  const file = library.getSourceFile(join(root, entry));
  const module = file && checker.getSymbolAtLocation(file);
  return (module ? checker.getExportsOfModule(module) : [])
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(({ declarations = [] }) => declarations.some((each) => isHandWritten(each.getSourceFile())));
})();

const parts: readonly Part[] = exported.flatMap((symbol) => [
  partOf(symbol, 'export', symbol.name),
  ...methodsOf(symbol).flatMap((method) => {
    const found = checker.getSymbolAtLocation(method.name);
    const name = `${symbol.name}.${method.name.getText()}`;
    return found ? [partOf(found, 'member', name)] : [];
  }),
]);

const tagsOf = ({ symbol }: Part, name: string): readonly string[] =>
  symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === name)
    .map(({ text = [] }) => text.map((each) => each.text).join(''));

const values = exported.filter(({ flags }) => (flags & ts.SymbolFlags.Value) !== 0).map(({ name }) => name);
const commented = parts.flatMap((part) =>
  tagsOf(part, 'example').flatMap((text, index) =>
    examplesIn(`${text}\n`).map((code) => [`test/client/${part.name}-${index}.mts`, code] as const),
  ),
);

describe('the examples', () => {
  it('of the README and of the comments compile against the package', () => {
    const imports = `import { ${values.join(', ')} } from 'tidemark';\n`;
    const texts = new Map([
      ['test/client/given.d.mts', globals],
      ...readme.map((code, index) => [`test/client/readme-${index + 1}.mts`, code] as const),
      ...commented.map(([file, code]) => [file, `${imports}${code}`] as const),
    ]);
    expect(readme.length).toBeGreaterThan(6);
    expect(commented.length).toBeGreaterThan(80);
    expect(faultsIn(programOf(texts, options), texts.keys())).toEqual([]);
  });

  it('of the README use each name that is left to the reader', () => {
    const used = Object.keys(given).filter((name) =>
      readme.some((code) => new RegExp(`\\b${name}\\b`).test(code)),
    );
    expect(used).toEqual(Object.keys(given));
  });
});

describe('the comments of the client', () => {
  it('show a call of each class, function and method', () => {
    const without = parts.filter((part) => part.isCalled && tagsOf(part, 'example').length === 0);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('say of each operation which permission it needs, as the API document does', () => {
    const { paths } = v.parse(documentSchema, JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')));
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const needed = operations.map((one) => [one.operationId, one['x-permission']] as const);
    const said = needed.map(([name]) => {
      const { symbol } = parts.find((part) => part.name === `Tidemark.${name}`) ?? {};
      const text = symbol?.getDocumentationComment(checker).map((each) => each.text) ?? [];
      return [name, /^Needs `(.+)`\.$/m.exec(text.join(''))?.[1]] as const;
    });
    expect(said).toEqual(needed);
    expect(said).toContainEqual(['forgetProfile', 'people.erase']);
  });

  it('say of each export whether it is stable', () => {
    const count = (part: Part): number => ['public', 'beta'].flatMap((tag) => tagsOf(part, tag)).length;
    const unclear = parts.filter((part) => part.kind === 'export' && count(part) !== 1);
    expect(unclear.map(({ name }) => name)).toEqual([]);
  });
});
