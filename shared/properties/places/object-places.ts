/** Object places: the folders of the buckets, and what their objects have of people. */
import { limits } from '../../config/limits.ts';
import type { ExportPlace, Folder } from '../folders.ts';
import type { Kept, Place } from './place.ts';

const { imports, exports, profiles } = limits;

/** Objects that a forgetting does not search. The lifecycle of their bucket removes them. */
const untouched = (what: string, days: number): Kept => ({
  what,
  end: { days },
  emptiedBy: 'lifecycle',
  forgetting: 'stays',
  access: 'no',
});

const ofImports = (what: string): Kept => untouched(what, imports.retentionDays);

/** The folders of a property, except those of exports. */
export const folderPlaces: Readonly<Record<Folder | 'sftp', Place>> = {
  uploads: { name: 'Uploaded files', keeps: ofImports('Files as clients sent them.') },
  sftp: {
    name: 'Files from SFTP',
    keeps: ofImports('Files as clients sent them, with their names, and the result files beside them.'),
  },
  expanded: { name: 'Expanded files', keeps: ofImports('Files that came compressed.') },
  batches: { name: 'Batches', keeps: ofImports('Records of `import-data`; social tokens are sealed.') },
  corrections: { name: 'Corrected rows', keeps: ofImports('Rows that a client sent again, sealed.') },
  refused: { name: 'Refused rows', keeps: ofImports('Rows as they stand in the file.') },
  warned: { name: 'Warned rows', keeps: ofImports('Rows as they stand in the file.') },
  lists: { name: 'Lists of rows as files', keeps: ofImports('All refused or warned rows of a job.') },
  rehearsals: {
    name: 'Dry runs',
    keeps: ofImports('Keyed hashes of identities, numbers of people, names of segments.'),
  },
  undo: {
    name: 'Undo log',
    keeps: {
      ...ofImports('Identities, and the values before each import.'),
      besides: 'from each write',
      forgetting: 'soon',
      access: 'yes',
    },
  },
  'access-requests': {
    name: 'Files of access requests',
    keeps: untouched('Everything about one person, where it is over 1 MB.', profiles.accessFileDays),
  },
};

/** The folders of the exports of a property. */
export const exportPlaces: Readonly<Record<ExportPlace, Place>> = {
  files: {
    name: 'Files of exports',
    keeps: {
      ...untouched(
        'Rows of people, encrypted where the export has a PGP key; the numbers of the members.',
        exports.retentionDays,
      ),
      forgetting: 'closed',
      besides: `locations ${exports.locationDays} days`,
    },
  },
  bases: {
    name: 'Members of delta exports',
    keeps: { ...untouched('Numbers of people.', exports.baseDays), forgetting: 'numbers' },
  },
  work: { name: 'Parts of exports', keeps: ofImports('Rows of people, sealed.') },
};
