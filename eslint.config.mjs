// Rules of style that a machine can check: strict types, no casts, no console in deployed code, no slow regular
// expressions. The direction of imports is checked by .dependency-cruiser.mjs.
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['node_modules', 'cdk.out', '.build', '.local', 'coverage', 'client/dist'],
  },
  {
    files: ['**/*.{ts,tsx}'],
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
    // A client may send a long text on purpose: a regular expression must take linear time in the length of its text.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // A test may name a value like its neighbour, and the body of a `describe` is a list.
    files: ['**/*.{ts,tsx}'],
    ignores: ['test/**', 'local/test/**', 'bench/test/**'],
    rules: {
      curly: ['error', 'multi-or-nest', 'consistent'],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: false }],
      'no-nested-ternary': 'error',
      '@typescript-eslint/no-shadow': 'error',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['cli/**/*.ts', 'bench/**/*.ts', 'local/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  { files: ['client/src/generated/*.ts', 'console/src/texts/*.ts'], rules: { 'max-lines': 'off' } },
);
