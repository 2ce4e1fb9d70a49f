/** Tags: the groups of operations, which follow from the folders of their functions. */

/** The tags in the order of the document, each with a sentence and its folders in `functions/`. */
const tags: readonly (readonly [name: string, sentence: string, folders: readonly string[]])[] = [
  ['Account', 'Sign in, find out what your token reaches, and read the audit log.', ['auth', 'audit']],
  ['People', 'Store, look up and forget people.', ['profiles', 'retention']],
  ['Imports', 'Bring in files and batches of records.', ['imports', 'sftp', 'enrichment']],
  ['Segments', 'Find segments, combine them, and see who is in them and why.', ['segments', 'brands']],
  ['Collections', 'Name lists of segments.', ['collections']],
  ['Exports', 'Send the members of segments away as files.', ['exports']],
  ['Timelines', 'Keep the members of a segment at moments in time, and compare the moments.', ['timelines']],
  ['Service', 'The state and the description of the service.', ['edge']],
];

/** The tags of the document. */
export const tagObjects = tags.map(([name, description]) => ({ name, description }));

/** The tag of a function by its handler source, such as `profiles/create-profile`. */
export const tagOf = (source: string): string => {
  const [folder = ''] = source.split('/');
  const found = tags.find(([, , folders]) => folders.includes(folder));
  if (!found) throw new Error(`openapi: functions in ${folder}/ have no tag`);
  return found[0];
};
