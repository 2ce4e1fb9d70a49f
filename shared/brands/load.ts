import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { CommandRefusal } from '../auth/accounts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { foldName } from '../catalogue/identity.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { storeContent } from '../catalogue/brand-content.ts';
import { loadBrands } from '../catalogue/brand-versions.ts';
import { nextContent } from './next-content.ts';
import { movePointer, readPointer } from '../catalogue/brand-pointer.ts';
import { brandRow, type BrandRow } from './brand-row.ts';

/** What loading a catalogue needs. */
export interface LoadDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly pause: Pause;
}

/** A part of a catalogue on its way in: its number from 0, and its rows as the cells of the file. */
export interface StagedPart {
  readonly version: number;
  readonly part: number;
  readonly rows: readonly (readonly string[])[];
}

const HOUR_SECONDS = 3_600;
const stagedItem = v.object({ rows: v.instance(Uint8Array) });
const cells = v.pipe(v.string(), v.parseJson(), v.array(v.array(v.string())));

/** Begins a load: gives the number that its version is going to have. Nothing is shown of it before its commit. */
export const beginLoad = async ({ table }: LoadDeps): Promise<{ readonly version: number }> => ({
  version: await table.increment(keys.serviceCounter('brands'), 1),
});

/** Takes a part of a load; a part that was sent before stays as it was. */
export const stagePart = async (
  { table, clock }: LoadDeps,
  { version, part, rows }: StagedPart,
): Promise<Result<{ readonly part: number; readonly rows: number }, CommandRefusal>> => {
  for (const [index, row] of rows.entries()) {
    const checked = brandRow(row);
    if (!checked.ok)
      return err(refuse('invalid_catalogue', `Row ${index + 1} of part ${part}: ${checked.error}`));
  }
  const ttl = Math.ceil(clock() / 1000) + limits.brands.stagedHours * HOUR_SECONDS;
  const set = { rows: gzipSync(JSON.stringify(rows)), ttl };
  await table.write({ kind: 'insert', key: keys.stagedBrands(version, part), set });
  return ok({ part, rows: rows.length });
};

/** A load that was committed. */
type Committed = Readonly<{ version: number; pages: number; state: string }>;

/** A load as a whole: what the parts sent must come to. */
export interface Commit {
  readonly version: number;
  readonly parts: number;
  readonly pages: number;
}

/**
 * Makes a load the next version. One write decides; before it nothing is seen of the load. It takes effect once every process
 * knows of it and every property is prepared for it, the first one at once while there was never a property. CommandRefusal while
 * another version is being put in place.
 */
export const commitLoad = async (
  deps: LoadDeps,
  commit: Commit,
): Promise<Result<Committed, CommandRefusal>> => {
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'brands: the versions');
    const committed = await tryCommit(deps, commit);
    if (committed) return committed;
  }
};

/** Commits a load unless somebody else changes which versions are in use; undefined then. */
const tryCommit = async (
  { table, ids, clock }: LoadDeps,
  { version, parts, pages }: Commit,
): Promise<Result<Committed, CommandRefusal> | undefined> => {
  const seen = await readPointer(table);
  const known = [seen.current, seen.next].find((one) => one?.version === version);
  if (known) return ok({ version, pages: known.pages, state: 'committed' });
  if (seen.next) return err(busy(seen.next.version));
  if (version < (seen.current?.version ?? 0))
    return err(refuse('stale_load', 'A later load has been committed.'));
  const rows = await readStaged(table, version, parts);
  if (!rows.ok) return rows;
  const fault = faultOf(rows.value, pages);
  if (fault !== undefined) return err(refuse('invalid_catalogue', fault));
  const content = nextContent(await loadBrands(table, seen.current), rows.value);
  if (content.pages.length - pages > limits.brands.departedPages)
    return err(refuse('full', 'Too many pages have left the catalogue; keep them in it.'));
  const place = await storeContent(table, `${version}-${ids.nonce()}`, content);
  const made = { version, pages, ...place };
  const pointer =
    seen.w === undefined
      ? { current: made, next: null }
      : { current: seen.current, next: { ...made, committed: clock(), effective: null } };
  // A write whose answer was lost may count as refused: the next try finds the version there.
  if (!(await movePointer(table, seen, pointer))) return undefined;
  return ok({ version, pages, state: 'committed' });
};

const readStaged = async (
  table: Table,
  version: number,
  parts: number,
): Promise<Result<readonly BrandRow[], CommandRefusal>> => {
  const wanted = Array.from({ length: parts }, (_, part) => keys.stagedBrands(version, part));
  const items = await table.getMany(wanted);
  const missing = items.indexOf(undefined);
  if (missing >= 0)
    return err(refuse('invalid_catalogue', `Part ${missing} of the load is missing; load it again.`));
  const rows = items.flatMap((item) =>
    v.parse(cells, gunzipSync(v.parse(stagedItem, item).rows).toString('utf8')),
  );
  return ok(
    rows.flatMap((row) => {
      const checked = brandRow(row);
      return checked.ok ? [checked.value] : [];
    }),
  );
};

/** What is wrong with a catalogue as a whole; undefined when nothing is. */
const faultOf = (rows: readonly BrandRow[], pages: number): string | undefined => {
  if (rows.length !== pages || new Set(rows.map(({ page }) => page)).size !== pages)
    return 'The parts are not those of one file.';
  if (pages > limits.brands.pages) return `There are more than ${limits.brands.pages} pages.`;
  return tooManyAlike(rows);
};

/** The name that too many brands in different places have. */
const tooManyAlike = (rows: readonly BrandRow[]): string | undefined => {
  const places = new Map<string, Set<string>>();
  for (const { brand, category } of rows) {
    const name = foldName(brand);
    places.set(name, (places.get(name) ?? new Set()).add(JSON.stringify([brand, category])));
  }
  return [...places.values()].some(({ size }) => size > limits.brands.sameName)
    ? `More than ${limits.brands.sameName} brands in different categories have one name.`
    : undefined;
};

const refuse = (code: CommandRefusal['code'], message: string): CommandRefusal => ({ code, message });
const busy = (version: number): CommandRefusal => ({
  code: 'load_under_way',
  message: `Version ${version} is still being put in place; \`brands show\` says how far it is. Load again then.`,
});
