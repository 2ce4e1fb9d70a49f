/**
 * The storeys of the source, checked by `npm run check`: a folder imports only from storeys below its own, types
 * included, and neither files nor folders import each other in a circle. docs/storeys.svg shows the storeys, and the
 * README.md of each folder says what is in it.
 */

/** Top-level folders, top storey first. */
const house = [
  ['bench'],
  ['test'],
  ['cli'],
  ['bin'],
  ['lib'],
  ['functions'],
  ['shared'],
  ['console'],
  ['client', 'local'],
];

/** Folders of `shared/`, top storey first. Folders of one storey do not import each other. */
const storeys = [
  ['operator'],
  ['retention'],
  ['imports', 'exports', 'timelines'],
  ['segments', 'brands', 'collections'],
  ['ingest'],
  ['enrichment', 'deliveries'],
  ['membership'],
  ['catalogue'],
  ['profiles'],
  ['edge'],
  ['auth', 'schedules', 'email'],
  ['sftp', 'audit'],
  ['rates'],
  ['references'],
  ['http', 'webhooks', 'pgp'],
  ['csv'],
  ['properties', 'tasks'],
  ['table'],
  ['runtime'],
  ['config'],
];

/** Rules that keep the folders of `order` from importing upward or sideways. */
const downward = (order, prefix) =>
  order.flatMap((storey, level) =>
    storey.map((folder) => {
      const above = order.slice(0, level + 1).flat();
      return {
        name: `${prefix}${folder}-imports-downward`,
        comment: `${prefix}${folder}/ may import only from the storeys below it; see .dependency-cruiser.mjs.`,
        severity: 'error',
        from: { path: `^${prefix}${folder}/` },
        to: { path: `^${prefix}(${above.filter((name) => name !== folder).join('|')})/` },
      };
    }),
  );

export default {
  forbidden: [
    ...downward(house, ''),
    ...downward(storeys, 'shared/'),
    {
      name: 'nothing-deployed-imports-the-client',
      comment: 'The client is a package of its own. Only cli/, bench/ and the tests use it.',
      severity: 'error',
      from: { path: '^(bin|lib|functions|shared|cli/standalone)/' },
      to: { path: '^client/' },
    },
    {
      name: 'nothing-imports-the-console',
      comment:
        'The console is a page of its own, which the bundle builds. It imports the client and nothing else.',
      severity: 'error',
      from: { pathNot: '^(console|test)/' },
      to: { path: '^console/' },
    },
    {
      name: 'the-console-imports-the-client',
      comment:
        'The console calls the API as everybody can. It imports the client and nothing else of the project.',
      severity: 'error',
      from: { path: '^console/' },
      to: { pathNot: '^(console|client/src|node_modules)/' },
    },
    {
      name: 'nothing-deployed-imports-the-embedded-cloud',
      comment: 'The embedded cloud knows no application, and what deploys does not know the embedded cloud.',
      severity: 'error',
      from: { path: '^(bin|lib|functions|shared)/' },
      to: { path: '^local/' },
    },
    {
      name: 'no-circle-of-files',
      comment:
        'Move the type or function that both files need into the file that needs nothing of the other.',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'Two folders that import each other are one folder, or a part of one belongs in the other.',
      scope: 'folder',
      severity: 'error',
      from: { path: '^(bin|lib|functions|shared|local|cli|bench|client|console)/' },
      to: { circular: true },
    },
    {
      name: 'storey-of-its-own',
      comment: 'A folder of shared/ needs its place in the list of storeys.',
      severity: 'error',
      from: { path: '^shared/', pathNot: `^shared/(${storeys.flat().join('|')})/` },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(bin|lib|functions|shared|local|cli|bench|client|console|test)/',
    exclude: { path: '\\.json$' },
  },
};
