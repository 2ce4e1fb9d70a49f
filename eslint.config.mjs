// Taste held by machine: strict types, no casts, no console in what deploys, no slow regular
// expressions, and imports that go one way only.
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Folders that `folder` may not import from, with the reason shown to whoever tries. */
const boundary = (folder, forbidden) => ({
  files: [`${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: forbidden.map((name) => ({
          // The limits are plain numbers made for everyone to import.
          regex: `^(\\.\\./)+${name}/(?!config/limits\\.ts$)`,
          message: `${folder}/ must not import ${name}/ (functions → shared, lib → manifest, local → cdk.out + manifest).`,
        })),
      },
    ],
  },
});

export default tseslint.config(
  { ignores: ['node_modules', 'cdk.out', '.build', '.local', 'coverage'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
    },
  },
  {
    // A text of a client is long on purpose: the time of a regular expression must grow as its text does, no faster.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  boundary('shared', ['functions', 'lib', 'local', 'cli', 'bench', 'test', 'bin']),
  boundary('functions', ['lib', 'local', 'cli', 'bench', 'test', 'bin']),
  boundary('lib', ['local', 'cli', 'bench', 'test', 'bin']),
  boundary('bin', ['local', 'cli', 'bench', 'test']),
  boundary('local', ['cli', 'bench', 'test']),
  { files: ['cli/**/*.ts', 'bench/**/*.ts', 'local/**/*.ts'], rules: { 'no-console': 'off' } },
);
