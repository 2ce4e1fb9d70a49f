/** Own module: evaluates a bundle with a `process`, a `console` and a `node:http` of its own, in a thread that others use, too. */
import { Console } from 'node:console';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, sep } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { transformSync } from 'esbuild';
import { requestOver, type Way } from './gateway-calls.ts';
import { isFunction } from './handler.ts';

/** What a bundle sees of its process. */
export interface OwnProcess {
  readonly env: Record<string, string | undefined>;
  /** Its way to the gateway. Without it, all calls go over HTTP. */
  readonly way: Way | undefined;
  /** Takes the output. */
  readonly write: (text: string) => void;
  /** Leaves the process. */
  readonly exit: (code: number) => never;
}

/** Evaluates a bundle anew, with all files in its folder, and returns its exports. */
export const ownModule = (named: string, given: OwnProcess): unknown => {
  // `require` resolves symbolic links, so the files in the folder are known by their real names.
  const file = realpathSync(named);
  const folder = `${dirname(file)}${sep}`;
  const { builtIn, process, console } = surroundings(given);
  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const body: unknown = scriptOf(path).runInThisContext();
    const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
    if (isFunction(body)) body(module, module.exports, requireIn(path), meta, process, console);
    return module.exports;
  };
  const requireIn = (path: string) => {
    const require = createRequire(path);
    return (name: string): unknown => {
      if (isBuiltin(name)) return builtIn(name);
      const found = require.resolve(name);
      return found.startsWith(folder) ? load(found) : require(found);
    };
  };
  return load(file);
};

/** The scripts of the files. V8 keeps the compiled code of a script, and would compile a module anew each time. */
const scripts = new Map<string, Script>();

const scriptOf = (file: string): Script => {
  const known = scripts.get(file);
  if (known) return known;
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    // An import becomes a call of `require`, which loads the file for this function alone.
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': '__meta.url',
      'import.meta.filename': '__meta.filename',
      'import.meta.dirname': '__meta.dirname',
    },
  });
  const script = new Script(`(function (module, exports, require, __meta, process, console) {${code}\n})`, {
    filename: file,
  });
  scripts.set(file, script);
  return script;
};

/** What a bundle gets instead of what it would share with all others. */
const surroundings = ({ env, way, write, exit }: OwnProcess) => {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _, done) => {
      write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      done();
    },
  });
  const value = <T>(given: T) => ({ value: given, writable: true });
  const own: unknown = Object.create(process, {
    env: value(env),
    stdout: value(output),
    stderr: value(output),
    exit: value((code: unknown) => exit(Number(code ?? 0))),
    exitCode: value(undefined),
    getBuiltinModule: value((name: string) => (isBuiltin(name) ? builtIn(name) : undefined)),
  });
  const http = process.getBuiltinModule('node:http');
  const endpoint = env['AWS_ENDPOINT_URL'];
  const replaced = new Map<string, unknown>([['process', own]]);
  if (way && endpoint !== undefined)
    replaced.set('http', { ...http, request: requestOver(http, way, new URL(endpoint)) });
  const builtIn = (name: string): unknown =>
    replaced.get(name.replace(/^node:/, '')) ?? process.getBuiltinModule(name);
  return { builtIn, process: own, console: new Console({ stdout: output, stderr: output }) };
};
