/** Type checks code that is in no file, for examples in documents and comments. */
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

/** The options of the repository that concern code for readers. */
const usual: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.esnext.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  typeRoots: [join(root, 'node_modules/@types')],
  types: ['node'],
};

/** A program of files whose texts are given, by their paths from the root; they may import any file of the repository. */
export const programOf = (
  texts: ReadonlyMap<string, string>,
  options: ts.CompilerOptions = {},
): ts.Program => {
  const given = new Map([...texts].map(([file, text]) => [join(root, file), text]));
  const all = { ...usual, ...options };
  const host = ts.createCompilerHost(all, true);
  // A given file may be the first of its folder.
  const folders = new Set([...given.keys()].map((file) => dirname(file)));
  host.directoryExists = (folder) => folders.has(folder) || ts.sys.directoryExists(folder);
  host.fileExists = (file) => given.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => given.get(file) ?? ts.sys.readFile(file);
  return ts.createProgram([...given.keys()], all, host);
};

/** What the compiler finds wrong in the given files, each behind the name of its file and its line. */
export const faultsIn = (program: ts.Program, files: Iterable<string>): readonly string[] => {
  const asked = new Set([...files].map((file) => join(root, file)));
  return program
    .getSourceFiles()
    .filter(({ fileName }) => asked.has(fileName))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start = 0, messageText }) => {
      const line = file ? file.text.slice(0, start).split('\n').length : 0;
      const source = file?.text.split('\n')[line - 1] ?? '';
      const name = file?.fileName.slice(root.length + 1);
      return `${name}: ${source.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
};

/** The blocks of TypeScript in a document. */
export const examplesIn = (document: string): readonly string[] =>
  [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
