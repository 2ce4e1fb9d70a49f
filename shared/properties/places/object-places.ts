/** Object places: the folders of the buckets, and what their objects have of people. */
import { limits } from '../../config/limits.ts';
import type { ExportPlace, Folder } from '../folders.ts';
import type { Kept, Place } from './place.ts';

const { imports, exports, profiles } = limits;

/** A place in a bucket. */
export interface ObjectPlace extends Place {
  /** Whether a property may say fewer days (`fileDays`): for files and reports, and what came from them. */
  readonly mayBeFewer: boolean;
}

/** Objects that a forgetting does not search. The lifecycle of their bucket removes them. */
const untouched = (what: string, days: number): Kept => ({
  what,
  end: { days },
  emptiedBy: 'lifecycle',
  forgetting: 'stays',
  access: 'no',
});

/** Files, reports and parts of them. `deleteOldFiles` removes them sooner for a property that says so. */
const files = (name: string, what: string): ObjectPlace => ({
  name,
  mayBeFewer: true,
  keeps: untouched(what, imports.retentionDays),
});

/** The folders of a property, except those of exports. */
export const folderPlaces: Readonly<Record<Folder | 'sftp', ObjectPlace>> = {
  uploads: files('Uploaded files', 'Files as clients sent them.'),
  sftp: files(
    'Files from SFTP',
    'Files as clients sent them, with their names, and the result files beside them.',
  ),
  expanded: files('Expanded files', 'Files that came compressed.'),
  batches: files('Batches', 'Records of `import-data`; social tokens are sealed.'),
  corrections: files('Corrected rows', 'Rows that a client sent again, sealed.'),
  refused: files('Refused rows', 'Rows as they stand in the file.'),
  warned: files('Warned rows', 'Rows as they stand in the file.'),
  lists: files('Lists of rows as files', 'All refused or warned rows of a job.'),
  rehearsals: files('Dry runs', 'Keyed hashes of identities, numbers of people, names of segments.'),
  undo: {
    name: 'Undo log',
    // An undo needs it for `undoDays`.
    mayBeFewer: false,
    keeps: {
      ...untouched('Identities, and the values before each import.', imports.retentionDays),
      besides: 'from each write',
      forgetting: 'soon',
      access: 'yes',
    },
  },
  'access-requests': {
    name: 'Files of access requests',
    mayBeFewer: false,
    keeps: untouched('Everything about one person, where it is over 1 MB.', profiles.accessFileDays),
  },
  erasures: {
    name: 'Members of erasures',
    mayBeFewer: false,
    keeps: {
      ...untouched('Numbers of people, until the erasure has ended.', imports.retentionDays),
      forgetting: 'numbers',
    },
  },
};

/** The folders of the exports of a property. */
export const exportPlaces: Readonly<Record<ExportPlace, ObjectPlace>> = {
  files: {
    name: 'Files of exports',
    mayBeFewer: true,
    keeps: {
      ...untouched(
        'Rows of people, encrypted where the export has a PGP key. The numbers of the members stay for 30 days.',
        exports.retentionDays,
      ),
      forgetting: 'closed',
      besides: `locations ${exports.locationDays} days`,
    },
  },
  bases: {
    name: 'Members of delta exports',
    // The next delta needs them.
    mayBeFewer: false,
    keeps: { ...untouched('Numbers of people.', exports.baseDays), forgetting: 'numbers' },
  },
  work: files('Parts of exports', 'Rows of people, sealed.'),
};
