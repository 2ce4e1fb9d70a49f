/** Reads YAML and JSON files of the user. */
import { parseDocument } from 'yaml';
import { usageFailure } from '../failure.ts';
import { readFilled } from './user-files.ts';

/** The content of a YAML or JSON file; JSON is YAML, too. Throws a failure with the place of the first fault. */
export const readDocument = async (path: string): Promise<unknown> => {
  const text = Buffer.from(await readFilled(path)).toString('utf8');
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line = 1, col = 1 } = fault.linePos?.[0] ?? {};
    throw usageFailure(
      `${path} is neither YAML nor JSON: line ${line}, column ${col}: ${firstLine(fault.message)}`,
    );
  }
  // An alias may stand for much text: the library refuses documents that grow too far.
  return document.toJS({ maxAliasCount: 100 });
};

const firstLine = (message: string): string =>
  message.split('\n')[0]?.replace(/ at line \d.*$/, '.') ?? message;
