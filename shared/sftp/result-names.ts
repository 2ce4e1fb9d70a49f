/** Result names: the files that the service writes beside an imported file, in the directory of its definition. */

/** Keys of the files with the result of an import, by the key of the imported file. */
export const resultNames = (key: string): { readonly result: string; readonly refused: string } => ({
  result: `${key}.result.json`,
  refused: `${key}.refused.csv`,
});

/** Whether a file has the name of such a file. The service imports none of them. */
export const isResultName = (name: string): boolean => /\.(result\.json|refused\.csv)$/i.test(name);
