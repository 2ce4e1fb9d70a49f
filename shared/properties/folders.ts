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
  'erasures',
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

/** The bucket of each folder with files and reports, of which a property may say that they are kept for fewer days. */
const filePlaces = {
  uploads: 'uploads',
  sftp: 'uploads',
  expanded: 'work',
  batches: 'work',
  corrections: 'work',
  refused: 'work',
  warned: 'work',
  lists: 'work',
  rehearsals: 'work',
  work: 'work',
  files: 'exports',
} as const satisfies Partial<Record<Folder | ExportPlace | 'sftp', string>>;
export type FilePlace = keyof typeof filePlaces;
export type FileBucket = (typeof filePlaces)[FilePlace];

/** A folder with files or reports of a property. */
export interface FileFolder {
  readonly place: FilePlace;
  readonly bucket: FileBucket;
  readonly folder: string;
}

/** The folders with files and reports of a property, always in the same order. */
export const fileFolders = (account: number, property: number): readonly FileFolder[] => {
  const folderIn = (place: FilePlace): string => {
    if (place === 'sftp') return propertyDropsOf(account, property);
    if (place === 'files' || place === 'work') return exportFolderOf(place, property);
    return folderOf(place, property);
  };
  const places: readonly FilePlace[] = [
    ...(['uploads', 'sftp', 'expanded', 'batches', 'corrections'] as const),
    ...(['refused', 'warned', 'lists', 'rehearsals', 'work', 'files'] as const),
  ];
  return places.map((place) => ({ place, bucket: filePlaces[place], folder: folderIn(place) }));
};

/** Folders of all objects of a property. */
export const propertyFolders = (account: number, property: number): readonly string[] => [
  ...folders.map((folder) => folderOf(folder, property)),
  ...(['files', 'bases', 'work'] as const).map((place) => exportFolderOf(place, property)),
  propertyDropsOf(account, property),
];
