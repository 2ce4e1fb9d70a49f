/** Installed: finds the programs of PostgreSQL on this machine. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of PostgreSQL, in one folder. */
export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  readonly psql: string;
}

/** Debian keeps each version in a folder of its own. */
const DEBIAN = '/usr/lib/postgresql';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const programsIn = (folder: string): PostgresPrograms | undefined => {
  const programs = {
    postgres: join(folder, 'postgres'),
    initdb: join(folder, 'initdb'),
    psql: join(folder, 'psql'),
  };
  return Object.values(programs).every(isProgram) ? programs : undefined;
};

/** The folders of a path, and the versions of Debian, the newest first. */
const foldersOf = (path: string, debian: string): readonly string[] => {
  const versions = existsSync(debian) ? readdirSync(debian).filter((name) => /^\d+$/.test(name)) : [];
  return [
    ...versions
      .toSorted((one, other) => Number(other) - Number(one))
      .map((name) => join(debian, name, 'bin')),
    ...path.split(delimiter).filter((folder) => folder !== ''),
  ];
};

/** Finds PostgreSQL. Returns undefined where it is not installed. */
export const findPostgres = (
  path = process.env['PATH'] ?? '',
  debian = DEBIAN,
): PostgresPrograms | undefined =>
  foldersOf(path, debian)
    .map(programsIn)
    .find((programs) => programs !== undefined);
