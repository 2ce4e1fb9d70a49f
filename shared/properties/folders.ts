/**
 * Property folders: the one list of the folders in the buckets that have objects of a property. Every key of such an object
 * begins with a folder from here, so the deletion of a property finds it. `places/` says what each folder has of people.
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

/** The folder with the folders of all properties, with a slash at the end. */
export const foldersOf = (folder: Folder): string => `${folder}/`;

/** A folder of a property, with a slash at the end. */
export const folderOf = (folder: Folder, property: number): string => `${foldersOf(folder)}${property}/`;

/** Places of the folders of exports: the files, the members of deltas, which are kept longer, and the work in between. */
const exportPlaces = { files: '', bases: 'bases/', work: 'exports/' } as const;
export type ExportPlace = keyof typeof exportPlaces;

/** A folder of the exports of a property, with a slash at the end. */
export const exportFolderOf = (place: ExportPlace, property: number): string =>
  `${exportPlaces[place]}p${property}/`;

/** The folder of the files that all users put there over SFTP. */
export const dropsPrefix = 'sftp/';

/** The folder of the files of an account from SFTP. The account comes first, so one prefix bounds the access of its users. */
export const accountDropsOf = (account: number): string => `${dropsPrefix}${account}/`;

/** The folder of the files of a property from SFTP. */
export const propertyDropsOf = (account: number, property: number): string =>
  `${accountDropsOf(account)}${property}/`;

/** Folders of all objects of a property. */
export const propertyFolders = (account: number, property: number): readonly string[] => [
  ...folders.map((folder) => folderOf(folder, property)),
  ...(['files', 'bases', 'work'] as const).map((place) => exportFolderOf(place, property)),
  propertyDropsOf(account, property),
];
