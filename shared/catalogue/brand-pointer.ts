import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const version = v.object({
  version: v.number(),
  pages: v.number(),
  name: v.string(),
  parts: v.number(),
});

/** A version of the catalogue and where its content is. */
export type VersionPlace = v.InferOutput<typeof version>;

const pointer = v.object({
  w: v.string(),
  current: v.nullable(version),
  next: v.nullable(
    v.object({
      ...version.entries,
      /** Epoch milliseconds of its commit. */
      committed: v.number(),
      /** Epoch milliseconds from which it holds; `null` until it is prepared in every property. */
      effective: v.nullable(v.number()),
    }),
  ),
});

/** Which versions are in use: the current one, none before the first, and the one that is being put in its place. */
export type BrandPointer = Omit<v.InferOutput<typeof pointer>, 'w'>;

/** The pointer as it was read; without `w` there is none yet, and no property either. */
export type StoredPointer = BrandPointer & { readonly w?: string };

/** Reads which versions are in use. */
export const readPointer = async (table: Table): Promise<StoredPointer> => {
  const item = await table.get(keys.brandPointer);
  return item ? v.parse(pointer, item) : { current: null, next: null };
};

/**
 * Makes the pointer, without a version, unless it is there. It is made ahead of each property: where it is there, the first
 * version is put in place as every other one is, and where it is not, nothing is indexed yet.
 */
export const openPointer = async (table: Table): Promise<void> => {
  await table.write({ kind: 'insert', key: keys.brandPointer, set: { current: null, next: null } });
};

/** Changes the pointer on condition that it is as it was read; `false` when it is not. */
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

const REFRESH_MS = limits.brands.refreshSeconds * 1000;

/**
 * Milliseconds after a change of the pointer in which every process has learnt of it and what was begun without knowing
 * has come to its end. `marginMs`: clocks may differ and a sent write may linger by so much.
 */
export const propagationMs = (marginMs: number): number => REFRESH_MS + marginMs;

/**
 * Milliseconds after a version has become effective in which nothing that was worked out by the one before can still be
 * written: longer than the writes of a step of indexing take, which looks for the version again once its chunks are read.
 */
export const indexingMs = (marginMs: number): number => 3 * marginMs;
