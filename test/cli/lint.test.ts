import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const eslint = new ESLint();

/** The rules that refuse a regular expression in a file of a folder. */
const refusals = async (folder: string, expression: string): Promise<readonly (string | null)[]> => {
  const results = await eslint.lintText(`export const found = ${expression};\n`, {
    filePath: `${folder}/sample.mjs`,
  });
  return results.flatMap(({ messages }) => messages).map(({ ruleId }) => ruleId);
};

describe.each(['shared', 'functions', 'lib', 'local', 'cli'])('eslint in %s', (folder) => {
  it.each([
    [
      'a run looked for from each of its characters',
      String.raw`/^[\s\u200b]+|[\s\u200b]+$/g`,
      'no-super-linear-move',
    ],
    ['a run inside a run', '/^(a+)+$/', 'no-super-linear-backtracking'],
    ['two neighbours that take the same', String.raw`/^\d*\.?\d+$/`, 'no-super-linear-backtracking'],
  ])('the linter refuses %s', async (_, expression, rule) => {
    expect(await refusals(folder, expression)).toContain(`regexp/${rule}`);
  });

  it('the linter accepts a repetition that can match only at its first character', async () => {
    expect(await refusals(folder, String.raw`/^\s+|(?<!\s)\s+$/g`)).toEqual([]);
  });
});
