/** The names of the sources of values: people know the name of an import definition, not its id. */
import { TidemarkProblem } from '../../client/src/problem.ts';
import type { Tidemark } from '../../client/src/tidemark.ts';
import { useApp } from './app-context.ts';
import { useLoad } from './load.ts';
import type { Texts } from './texts/en.ts';

/** Definitions that are listed, the newest first. */
const LISTED = 1_000;
/** Definitions that the list lacks and that are asked for one by one: newer or older ones, or deleted ones. */
const ASKED = 20;

/** A name of a source, by the source as the API writes it: `api`, `import:1001000000001`, `enricher:Ensemble`. */
export type SourceName = (source: string) => string;

/** The name of each import definition by its source; `null` for a deleted one. */
type Names = ReadonlyMap<string, string | null>;

const IMPORT = /^import:([1-9]\d*)$/;

/** The names that are known of each property, and the list that began them. */
const known = new WeakMap<Tidemark, Promise<Map<string, string | null>>>();

const listed = async (api: Tidemark): Promise<Map<string, string | null>> => {
  const { imports } = await api.listImports({ query: { limit: LISTED, order: 'newest' } });
  return new Map(imports.map(({ id, name }) => [`import:${id}`, name]));
};

const nameOf = (api: Tidemark, source: string): Promise<string | null> =>
  api.getImport({ path: { import_id: Number(IMPORT.exec(source)?.[1]) } }).then(
    ({ name }) => name,
    (error: unknown) => {
      if (error instanceof TidemarkProblem && error.status === 404) return null;
      throw error;
    },
  );

/** The names of some sources. A property's definitions are listed once for a session. Throws as a call does. */
const namesOf = async (api: Tidemark, sources: readonly string[]): Promise<Names> => {
  const list = known.get(api) ?? listed(api);
  known.set(api, list);
  // The next screen asks again.
  list.catch(() => known.delete(api));
  const names = await list;
  const missing = sources.filter((source) => !names.has(source)).slice(0, ASKED);
  for (const source of missing) names.set(source, await nameOf(api, source));
  return new Map(names);
};

/** The name of a source, with what is known of import definitions; `undefined` while nothing is known yet. */
const sourceName = (texts: Texts, names: Names | undefined, source: string): string => {
  const words = texts.words.source;
  const [kind = '', ...rest] = source.split(':');
  if (kind === 'import') {
    const name = names?.get(source);
    return name === null ? words.deleted : (name ?? words.import);
  }
  if (kind === 'enricher') return words.enricher(rest.join(':'));
  return kind === 'api' || kind === 'service' || kind === 'suppression' || kind === 'objection'
    ? words[kind]
    : source;
};

/** The names of these sources. While they load, and without `definitions.read`, an import has no name. */
export const useSourceNames = (sources: readonly string[]): SourceName => {
  const { api, texts, can } = useApp();
  const imports = [...new Set(sources.filter((source) => IMPORT.test(source)))].toSorted();
  const key = imports.length > 0 && can('definitions.read') ? imports.join() : undefined;
  const { data } = useLoad(key, () => namesOf(api, imports));
  return (source) => sourceName(texts, data, source);
};
