/** Brand pointer: names the versions of the brand catalogue that are in use, in one item that every process reads. */
import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const version = v.object({
  version: v.number(),
  pages: v.number(),
  name: v.string(),
  parts: v.number(),
});

/** A version of the catalogue and the place of its content. */
export type VersionPlace = v.InferOutput<typeof version>;

const pointer = v.object({
  w: v.string(),
  current: v.nullable(version),
  next: v.nullable(
    v.object({
      ...version.entries,
      /** Epoch milliseconds of the commit. */
      committed: v.number(),
      /** Epoch milliseconds from which the version is in force; `null` until it is prepared in every property. */
      effective: v.nullable(v.number()),
    }),
  ),
});

/**
 * The versions in use: the current version (`null` before the first load), and the next version while it is put in
 * place.
 */
export type BrandPointer = Omit<v.InferOutput<typeof pointer>, 'w'>;

/** The pointer as read. Without `w` there is no pointer yet, and no property either. */
export type StoredPointer = BrandPointer & { readonly w?: string };

export const readPointer = async (table: Table): Promise<StoredPointer> => {
  const item = await table.get(keys.brandPointer);
  return item ? v.parse(pointer, item) : { current: null, next: null };
};

/**
 * Creates the pointer, without a version, unless it exists. Every new property does so first. So without a pointer
 * nothing is indexed yet, and the first version takes effect at once; with a pointer it is put in place like every
 * other version.
 */
export const openPointer = async (table: Table): Promise<void> => {
  await table.write({ kind: 'insert', key: keys.brandPointer, set: { current: null, next: null } });
};

/** Changes the pointer; `false` when another writer has changed it since it was read. */
export const movePointer = async (
  table: Table,
  { w }: StoredPointer,
  { current, next }: BrandPointer,
): Promise<boolean> => {
  const key = keys.brandPointer;
  const set = { current: current && { ...current }, next: next && { ...next } };
  const outcome = await table.write(
    w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
  );
  return outcome === 'applied';
};

/**
 * Milliseconds after a version took effect until no result by the previous version can still be written. An indexing
 * step checks the version after it has read its chunks, so this only has to exceed the time of the step's writes.
 */
export const indexingMs = (marginMs: number): number => 3 * marginMs;
