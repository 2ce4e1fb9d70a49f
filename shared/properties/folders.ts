/**
 * Property folders: the one list of the folders in the buckets that have objects of a property. Every key of such an object
 * begins with a folder from here, so the deletion of a property finds it. Only files from SFTP lie elsewhere, below their
 * account (`shared/sftp/paths.ts`).
 */

const folders = [
  'uploads',
  'batches',
  'corrections',
  'refused',
  'warned',
  'lists',
  'rehearsals',
  'expanded',
  'undo',
  'access-requests',
] as const;
export type Folder = (typeof folders)[number];

/** A folder of a property, with a slash at the end. */
export const folderOf = (folder: Folder, property: number): string => `${folder}/${property}/`;

/** Places of the folders of exports: the files, the members of deltas, which are kept longer, and the work in between. */
const exportPlaces = { files: '', bases: 'bases/', work: 'exports/' } as const;
export type ExportPlace = keyof typeof exportPlaces;

/** A folder of the exports of a property, with a slash at the end. */
export const exportFolderOf = (place: ExportPlace, property: number): string =>
  `${exportPlaces[place]}p${property}/`;

/** Folders of all objects of a property, except its files from SFTP. */
export const propertyFolders = (property: number): readonly string[] => [
  ...folders.map((folder) => folderOf(folder, property)),
  ...(['files', 'bases', 'work'] as const).map((place) => exportFolderOf(place, property)),
];
