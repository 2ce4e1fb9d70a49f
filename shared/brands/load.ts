/** Brand load: stages a catalogue in parts and commits it as the next version, for the operator. */
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { CommandRefusal, Outcome } from '../auth/accounts.ts';
import { HOUR_MS, ttlAt, type Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import { idSchema } from '../http/text.ts';
import { err, ok } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { foldName } from '../catalogue/identity.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { storeContent } from '../catalogue/brand-content.ts';
import { loadBrands } from '../catalogue/brand-versions.ts';
import { nextContent } from './next-content.ts';
import { movePointer, readPointer } from '../catalogue/brand-pointer.ts';
import { brandColumns, brandRow, type BrandRow } from './brand-row.ts';

export interface LoadDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly pause: Pause;
}

/** Parts of a load: enough for the largest file. */
const part = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000));

/** A staged part of a catalogue: its number from 0, and its rows as cells of the file. */
export const stagedPart = v.strictObject({
  version: idSchema,
  part,
  rows: v.pipe(
    v.array(v.pipe(v.array(v.string()), v.maxLength(brandColumns.length), v.readonly())),
    v.check((rows) => Buffer.byteLength(JSON.stringify(rows)) <= limits.brands.partBytes, 'Is too large.'),
    v.readonly(),
  ),
});

const stagedItem = v.object({ rows: v.instance(Uint8Array) });
const cells = v.pipe(v.string(), v.parseJson(), v.array(v.array(v.string())));

/** Begins a load: returns the number of its future version. Nothing of the load is visible before the commit. */
export const beginLoad = async ({ table }: LoadDeps): Promise<{ readonly version: number }> => ({
  version: await table.increment(keys.serviceCounter('brands'), 1),
});

/** Stages a part of a load. A part that was staged before stays unchanged. */
export const stagePart = async (
  { table, clock }: LoadDeps,
  { version, part: number, rows }: v.InferOutput<typeof stagedPart>,
): Promise<Outcome<{ readonly part: number; readonly rows: number }>> => {
  for (const [index, row] of rows.entries()) {
    const checked = brandRow(row);
    if (!checked.ok)
      return err(refuse('invalid_catalogue', `Row ${index + 1} of part ${number}: ${checked.error}`));
  }
  const ttl = ttlAt(clock() + limits.brands.stagedHours * HOUR_MS);
  const set = { rows: gzipSync(JSON.stringify(rows)), ttl };
  await table.write({ kind: 'insert', key: keys.stagedBrands(version, number), set });
  return ok({ part: number, rows: rows.length });
};

/** The outcome of a commit. */
type Committed = Readonly<{ version: number; pages: number; state: string }>;

/** A request to commit a load, with the expected totals of its parts. */
export const commit = v.strictObject({
  version: idSchema,
  parts: part,
  pages: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(limits.brands.pages)),
});
type Commit = v.InferOutput<typeof commit>;

/**
 * Commits a load as the next version. One write commits it; before that, nothing of the load is visible. The version
 * takes effect once every process knows it and every property is prepared for it. Before the first property exists it
 * takes effect at once. Refused while another version is being put in place.
 */
export const commitLoad = (deps: LoadDeps, asked: Commit): Promise<Outcome<Committed>> =>
  retryOnConflict({ pause: deps.pause, what: 'brands: the versions' }, async () => {
    const committed = await tryCommit(deps, asked);
    return committed ? done(committed) : 'conflict';
  });

/** Tries once to commit a load; undefined when another writer has changed the pointer in between. */
const tryCommit = async (
  { table, ids, clock }: LoadDeps,
  { version, parts, pages }: Commit,
): Promise<Outcome<Committed> | undefined> => {
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
  // A write whose answer was lost may count as refused. The next round finds the version committed.
  if (!(await movePointer(table, seen, pointer))) return undefined;
  return ok({ version, pages, state: 'committed' });
};

const readStaged = async (
  table: Table,
  version: number,
  parts: number,
): Promise<Outcome<readonly BrandRow[]>> => {
  const wanted = Array.from({ length: parts }, (_, number) => keys.stagedBrands(version, number));
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

/** The fault of a catalogue as a whole; undefined when there is none. */
const faultOf = (rows: readonly BrandRow[], pages: number): string | undefined => {
  if (rows.length !== pages || new Set(rows.map(({ page }) => page)).size !== pages)
    return 'The parts do not belong to one file.';
  if (pages > limits.brands.pages) return `There are more than ${limits.brands.pages} pages.`;
  return tooManyAlike(rows);
};

/** The fault of too many brands with one name in different categories. */
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
  message: `Version ${version} is still being put in place. \`brands show\` prints its progress; load again when it is done.`,
});
