import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { OWNER_ONLY, replaceFile } from '../../core/folder.ts';

const Stored = v.record(v.string(), v.string());

/** Opens the key file in `dataDir`, or starts without keys. Writes each new key at once. */
export const openKeys = (dataDir?: string) => {
  const file = dataDir === undefined ? undefined : join(dataDir, 'keys.json');
  const masters = new Map(Object.entries(file !== undefined && existsSync(file) ? read(file) : {}));
  const aliases = new Map<string, string>();
  const disabled = new Set<string>();
  return {
    create: (id: string, names: readonly string[]) => {
      for (const name of names) aliases.set(name, id);
      if (masters.has(id)) return;
      masters.set(id, randomBytes(32).toString('base64'));
      if (file !== undefined) replaceFile(file, JSON.stringify(Object.fromEntries(masters)), OWNER_ONLY);
    },
    /** The id of a key, found by id, ARN, alias name or alias ARN. */
    find: (name: string): string | undefined => {
      const local = name.replace(/^arn:aws:kms:[^:]*:[^:]*:(key\/)?/, '');
      const id = aliases.get(local) ?? local;
      return masters.has(id) ? id : undefined;
    },
    master: (id: string): Buffer | undefined => {
      const master = masters.get(id);
      return master === undefined ? undefined : Buffer.from(master, 'base64');
    },
    /** Switches a key off or on. A start switches every key on. */
    enable: (id: string, enabled: boolean) => {
      if (enabled) disabled.delete(id);
      else disabled.add(id);
    },
    isEnabled: (id: string): boolean => !disabled.has(id),
  };
};

/** The master keys by id, and their aliases. */
export type Keys = ReturnType<typeof openKeys>;

const read = (file: string): Record<string, string> =>
  v.parse(Stored, JSON.parse(readFileSync(file, 'utf8')));
